import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Sample, SampleSpec } from './spec.ts'
import { takeSample } from './take-sample.ts'

export const SAMPLE_FLAG = '--sample'

/** In the child: takes the sample that the arguments describe and prints it. */
export async function serveSample(text: string): Promise<void> {
  const alive = setInterval(() => {}, 1_000)
  console.log(JSON.stringify(await takeSample(JSON.parse(text) as SampleSpec)))
  clearInterval(alive)
}

/** Takes a sample in a fresh process. */
export async function sampleInChild(spec: SampleSpec): Promise<Sample> {
  const args = [process.argv[1] ?? '', SAMPLE_FLAG, JSON.stringify(spec)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as Sample
}
