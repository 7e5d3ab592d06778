import { library } from '@tutti-internal/build'

export default library({
  entry: {
    index: 'src/index.ts',
    schemas: 'src/schemas/index.ts',
  },
})
