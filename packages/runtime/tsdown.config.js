import { library } from '@tutti-internal/build'

export default library({
  entry: {
    index: 'src/index.ts',
    testing: 'src/testing/index.ts',
  },
  keep: ['sandbox-worker.js'],
})
