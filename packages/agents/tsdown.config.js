import { library } from '@tutti-internal/build'

export default library({
  entry: {
    index: 'src/index.ts',
    chat: 'src/chat/index.ts',
    simulate: 'src/simulate/index.ts',
    model: 'src/model/index.ts',
    shell: 'src/shell/index.ts',
    scripted: 'src/scripted/index.ts',
    cli: 'src/cli/index.ts',
    acp: 'src/acp/index.ts',
    probe: 'src/probe/index.ts',
    worktree: 'src/worktree/index.ts',
    conformance: 'src/conformance/index.ts',
  },
})
