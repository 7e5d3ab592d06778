import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLock } from '../../src/worktree/repository-lock.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tutti-lock-'))
  path = join(folder, 'lock')
})

afterEach(() => rmSync(folder, { recursive: true }))

test('one after the other', async () => {
  let inside = 0
  const most: number[] = []
  await Promise.all(
    Array.from({ length: 8 }, () =>
      withLock(path, async () => {
        most.push(++inside)
        await new Promise(resolve => setImmediate(resolve))
        inside--
      }),
    ),
  )
  expect(most).toEqual(Array.from({ length: 8 }, () => 1))
  expect(readdirSync(folder)).toEqual([])
})

test('work that throws gives the lock back', async () => {
  const broken = withLock(path, async () => {
    throw new Error('broken')
  })
  await expect(broken).rejects.toThrow('broken')
  expect(await withLock(path, async () => 'next')).toBe('next')
})

test('the lock of a process that is gone is taken over', async () => {
  const { pid } = spawnSync('true')
  writeFileSync(path, JSON.stringify({ pid, host: hostname(), token: 'old' }))
  expect(await withLock(path, async () => existsSync(path))).toBe(true)
})

test('a lock that is held for very long is taken over', async () => {
  writeFileSync(path, JSON.stringify({ pid: process.pid, host: 'elsewhere', token: 'old' }))
  const longAgo = new Date(Date.now() - 120_000)
  utimesSync(path, longAgo, longAgo)
  expect(await withLock(path, async () => 'mine')).toBe('mine')
})

test('the lock of a living process is waited for', async () => {
  writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname(), token: 'other' }))
  let entered = false
  const mine = withLock(path, async () => {
    entered = true
  })
  await new Promise(resolve => setTimeout(resolve, 60))
  expect(entered).toBe(false)
  rmSync(path)
  await mine
  expect(entered).toBe(true)
})
