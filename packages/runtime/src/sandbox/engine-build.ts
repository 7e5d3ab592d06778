/**
 * The script engine, as journals record it: positions, fuel and memory are only comparable between runs on the
 * same build. The last part counts changes of the prelude that a script can notice.
 */
export const ENGINE_BUILD: string =
  'quickjs-emscripten-core@0.32.0 @jitl/quickjs-wasmfile-release-sync@0.32.0 prelude@1'
