import { program } from '@tutti-internal/build'

export default program({
  entry: {
    bin: 'src/bin.ts',
  },
})
