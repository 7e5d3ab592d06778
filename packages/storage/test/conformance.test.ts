import { createMemoryStore } from '@tutti/runtime/testing'
import { storeConformance } from '@tutti/storage/conformance'
import { openStore } from '@tutti/storage'
import { describe, it } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'

describe('the file store', () => {
  storeConformance({ describe, it }, async () => {
    const folder = temporaryFolder()
    return {
      store: openStore({ root: `${folder.path}/root`, cwd: folder.path }),
      dispose: () => folder.remove(),
    }
  })
})

describe('the store in memory', () => {
  storeConformance({ describe, it }, async () => ({ store: createMemoryStore() }))
})
