import { createMemoryStore } from '@tutti/runtime/testing'
import { storeConformance } from '@tutti/storage/conformance'
import { openStore, type LayoutName } from '@tutti/storage'
import { describe, it } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'

describe.each<LayoutName>(['session', 'claude-code'])('the file store, layout %s', layout => {
  storeConformance({ describe, it }, async () => {
    const folder = temporaryFolder()
    return {
      store: openStore({ root: `${folder.path}/root`, cwd: folder.path, layout }),
      dispose: () => folder.remove(),
    }
  })
})

describe('the store in memory', () => {
  storeConformance({ describe, it }, async () => ({ store: createMemoryStore() }))
})
