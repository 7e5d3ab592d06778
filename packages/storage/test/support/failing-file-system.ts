import * as nodeFileSystem from 'node:fs/promises'
import type { FileHandle, FileSystem } from '@tutti/storage'

/**
 * What a step of the disk does instead of its work: fail with this code. `torn`: after writing half. `short`:
 * write half and say so.
 */
export interface Fault {
  code: string
  short?: boolean
  torn?: boolean
}

/** A file system that can be told to fail, and that counts. */
export interface FailingFileSystem extends FileSystem {
  /** Steps that change the disk, in order: `write <path>`, `sync <path>`, `rename <path>`, … */
  readonly steps: string[]
  /** Called before each step; a fault makes it fail. */
  fault: (step: string, number: number) => Fault | undefined
}

const CHANGING = ['write', 'sync', 'datasync', 'truncate'] as const

export function failingFileSystem(): FailingFileSystem {
  const steps: string[] = []

  function step(name: string, path: string): Fault | undefined {
    steps.push(`${name} ${path}`)
    return system.fault(`${name} ${path}`, steps.length)
  }

  function orFail<T>(name: string, path: string, work: () => Promise<T>): Promise<T> {
    const fault = step(name, path)
    return fault ? Promise.reject(errno(fault.code, path)) : work()
  }

  function wrap(handle: FileHandle, path: string): FileHandle {
    return new Proxy(handle, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target)
        if (typeof value !== 'function') return value
        const call = value.bind(target) as (...args: unknown[]) => Promise<unknown>
        if (!CHANGING.includes(key as (typeof CHANGING)[number])) return call
        return async (...args: unknown[]) => {
          const fault = step(String(key), path)
          if (!fault) return call(...args)
          if ((fault.short || fault.torn) && key === 'write') {
            const [bytes, offset, length] = args as [Buffer, number, number]
            const written = await target.write(bytes, offset, Math.ceil(length / 2))
            if (fault.short) return written
          }
          throw errno(fault.code, path)
        }
      },
    })
  }

  const system: FailingFileSystem = {
    ...nodeFileSystem,
    steps,
    fault: () => undefined,
    open: async (path, flags, mode) => {
      const fault = flags === 'r' ? undefined : step('open', String(path))
      if (fault) throw errno(fault.code, String(path))
      return wrap(await nodeFileSystem.open(path, flags, mode), String(path))
    },
    rename: (from, to) => orFail('rename', String(to), () => nodeFileSystem.rename(from, to)),
    link: (from, to) => orFail('link', String(to), () => nodeFileSystem.link(from, to)),
    unlink: path => orFail('unlink', String(path), () => nodeFileSystem.unlink(path)),
    rmdir: path => orFail('rmdir', String(path), () => nodeFileSystem.rmdir(path)),
    mkdir: ((path: string, options: object) =>
      orFail('mkdir', path, () => nodeFileSystem.mkdir(path, options))) as FileSystem['mkdir'],
  }
  return system
}

function errno(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: made to fail, '${path}'`), { code })
}
