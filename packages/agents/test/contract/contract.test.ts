import { describe, test } from 'vitest'
import { PROFILES } from '../../src/cli/index.ts'
import { backendConformance, type BackendSubject } from '../../src/conformance/index.ts'
import { modelSubject } from './model-subject.ts'
import { scripted, shell, simulate } from './offline-subjects.ts'
import { acpSubject, cliSubject } from './product-subjects.ts'

// The real products pass the same suite in tests/products.

const subjects: Record<string, BackendSubject> = {
  simulate,
  shell,
  scripted,
  'model over anthropic': modelSubject('anthropic'),
  'model over openai chat': modelSubject('openai'),
  'model over openai responses': modelSubject('responses'),
  'model over google': modelSubject('google'),
  ...Object.fromEntries(Object.keys(PROFILES).map(product => [`cli:${product}`, cliSubject(product)])),
  acp: acpSubject,
}

describe.each(Object.entries(subjects))('%s', (_, subject) => {
  const runner = {
    it: (name: string, body: () => Promise<void>) => test(name, body),
    skip: (name: string, reason: string) => test.skip(`${name} (not here: ${reason})`),
  }
  backendConformance(runner, subject)
})
