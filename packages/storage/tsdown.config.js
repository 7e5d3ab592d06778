import { library } from '@tutti-internal/build'

export default library({
  entry: {
    index: 'src/index.ts',
    conformance: 'src/conformance/index.ts',
  },
})
