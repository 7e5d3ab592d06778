import { program } from '@tutti-internal/build'

export default program({
  entry: {
    main: 'src/main.ts',
  },
})
