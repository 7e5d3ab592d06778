import { expect, test } from 'vitest'
import { workflowSwitch } from '../src/workflow-switch.ts'

test.each(['CODEBUDDY_DISABLE_WORKFLOWS', 'CLAUDE_CODE_DISABLE_WORKFLOWS', 'TUTTI_DISABLE_WORKFLOWS'])(
  '%s=1 switches workflows off',
  name => {
    expect(workflowSwitch({ env: { [name]: '1' } })).toBe(`the environment variable ${name}`)
    expect(workflowSwitch({ env: { [name]: 'true' } })).toBeDefined()
    expect(workflowSwitch({ env: { [name]: '0' } })).toBeUndefined()
    expect(workflowSwitch({ env: { [name]: '' } })).toBeUndefined()
  },
)

test('so does a setting', () => {
  expect(workflowSwitch({ env: {}, settings: { disableWorkflows: true } })).toContain('disableWorkflows')
  expect(workflowSwitch({ env: {}, settings: { disableWorkflows: true }, place: 'a.json' })).toBe(
    '"disableWorkflows" in a.json',
  )
  expect(workflowSwitch({ env: {}, settings: { disableWorkflows: false } })).toBeUndefined()
  expect(workflowSwitch({ env: {}, settings: {} })).toBeUndefined()
  expect(workflowSwitch({ env: {}, settings: { enableWorkflows: true } })).toBeUndefined()
  expect(workflowSwitch({ env: {}, settings: { enableWorkflows: false } })).toContain('enableWorkflows')
  expect(
    workflowSwitch({ env: {}, settings: { enableWorkflows: true, disableWorkflows: true } }),
  ).toBeDefined()
})
