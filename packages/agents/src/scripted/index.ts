export { createScriptedBackend } from './backend.ts'
