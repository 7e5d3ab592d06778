#!/usr/bin/env node
import { bundleSandboxWorker } from './sandbox-worker.js'

await bundleSandboxWorker()
