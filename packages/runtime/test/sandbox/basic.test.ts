import { test } from 'vitest'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
async function run(body: string) {
  const s = await openSandbox({ source: `export const meta = {name:'x'}\n`+body, run:{id:'r',startedAt:1}, budgetTotal:null, entries:4096, scriptCpuMs: 500, scriptMemoryMiB: 64 })
  try { return await s.deliver({type:'start'}) } catch (e) { return e } finally { await s.terminate() }
}
test('x', async () => {
  for (const b of [
   `return [new URL('https://www.a.example/x/?q=1').hostname, new TextEncoder().encode('é').length, structuredClone({ a: [1] }).a[0], atob(btoa('hi'))]`,
   `while(true) {}`, `await null\nlet i = 0\nfor(;;) {\n i++ }`, `for(;;) await null`, `const a=[]; for(;;) a.push({a:[1]})`, `'x'.repeat(1e9)`, `throw null`, `let s='a'; for(;;) s+=s`,
   `const f=()=>f(); f()`, `return {a:1,b:undefined,n:10n, c:{d:[1n]}}`, `agent.foo.bar()`, `await agent('x', {a:()=>1})`, `agent('x',{a:1n}); return 1`,
   `return (1234567.891).toLocaleString()+' '+new Date(0).toLocaleString()+['b','a','B','A','é'].sort((a,b)=>a.localeCompare(b))`,
   `await parallel([agent('a')])`, `await pipeline('[1]', x=>x)`, `return await parallel([()=>1, ()=>{throw new Error('x')}, async()=>{throw 'str'}])`,
   `function foo() { throw new TypeError('q', {cause: new Error('z')}) }\nfoo()`, `let x = (;`, `return Date.now()`, `setTimeout(() => { throw new Error('t') }, 5); await new Promise(()=>{})`,
   `Array(1e9)+''`,
  ]) { const t = performance.now(); const r = await run(b); console.log(b.slice(0,60).replaceAll('\n','\\n'), '=>', (performance.now()-t).toFixed(0)+'ms', r instanceof Error ? r.name+': '+r.message : JSON.stringify(r)) }
}, 60000)
