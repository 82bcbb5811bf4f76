// Checks request bodies: small ones at once, large ones and policies on threads.

import { Worker } from 'node:worker_threads';
import type { Diagnostic } from '@tollgate/diagnostics';
import { createValidator, type OperationId } from '@tollgate/edge-api';
import { ApiError, refused } from '../api-error.ts';
import type { ServerSettings } from '../settings/settings.ts';
import { createThreadPool, ThreadLimit, type ThreadPool } from '../thread-pool.ts';
import { type BodyRequest, type CheckedBody, checkBody, locatePolicy, type ValidBody } from './request-body.ts';

/** Larger bodies, and all with a policy, are checked on a thread. Validating this many characters takes about 5 ms. */
const MAX_INLINE = 16_384;
const THREADS = 2;
/** Seconds after which a client may retry when the threads are busy. */
const RETRY_AFTER = 5;

/** The module of the threads. In a clone, packages run from source; in a bundle, the file is next to this one. */
export const THREAD_FILE = new URL(`./body-thread${/\.\w+$/.exec(import.meta.url)?.[0]}`, import.meta.url);

/** Checks request bodies without blocking the event loop. */
export interface BodyChecks {
  /** @throws ApiError */
  readonly check: (request: BodyRequest) => Promise<ValidBody>;
  /** Loads the policy engine, so that the first policy does not wait for it. */
  readonly getReady: () => void;
  readonly close: () => Promise<void>;
}

/** The settings of body checks. */
type BodyCheckSettings = Pick<ServerSettings, 'policyLint' | 'policyTime' | 'policyMemory' | 'requestTimeout'>;

/** Creates body checks. Threads start when they are needed, each with a module that does what `body-thread` does. */
export function createBodyChecks(settings: BodyCheckSettings, threadFile: URL): BodyChecks {
  const validator = createValidator();
  const pool = createThreadPool<BodyRequest, string>({
    start: () => startThread(settings, threadFile),
    size: THREADS,
    budget: settings.policyTime * 1000,
    // Both together are shorter than the time after which the connection of the request is closed.
    longest: { wait: settings.requestTimeout * 250, run: settings.requestTimeout * 667 },
  });
  const inline = { validator, analyse: () => undefined };
  return {
    check: async request => {
      const checked = needsThread(request) ? await inThread(pool, request, settings) : checkBody(request, inline);
      if (checked.ok) return checked.body;
      throw new ApiError(checked.refusal);
    },
    getReady: pool.getReady,
    close: pool.close,
  };
}

function needsThread({ id, text }: BodyRequest): boolean {
  return text.length > MAX_INLINE || hasPolicy(id, text);
}

function hasPolicy(id: OperationId, text: string): boolean {
  try {
    return locatePolicy(id, JSON.parse(text)) !== undefined;
  } catch {
    return false;
  }
}

type Budget = Pick<BodyCheckSettings, 'policyTime' | 'policyMemory'>;

async function inThread(
  pool: ThreadPool<BodyRequest, string>,
  request: BodyRequest,
  budget: Budget,
): Promise<CheckedBody> {
  try {
    // Only the data of the request; the rest cannot be cloned.
    const { id, text, path, withWarnings } = request;
    return JSON.parse(await pool.run({ id, text, path, withWarnings })) as CheckedBody;
  } catch (error) {
    if (!(error instanceof ThreadLimit)) throw error;
    if (error.kind === 'busy') throw new ApiError({ kind: 'plain', error: 'unavailable' }, RETRY_AFTER);
    const exceeded = exceededBudget(error.kind, budget);
    if (!request.withWarnings) throw refused(9027, { value: exceeded });
    // What the request itself would check: a dry run refuses nothing else.
    const checked = await inThread(pool, { ...request, withWarnings: false }, budget);
    return checked.ok ? { ok: true, body: { ...checked.body, warnings: [unfinished(exceeded)] } } : checked;
  }
}

function exceededBudget(kind: 'time' | 'memory', { policyTime, policyMemory }: Budget): string {
  return kind === 'time' ? `more than ${policyTime} s of processor time` : `more than ${policyMemory} MB of memory`;
}

function unfinished(exceeded: string): Diagnostic {
  return {
    code: 'server/unfinished-lint',
    severity: 'warning',
    message: `lint rules needed ${exceeded}, so their findings are missing; run \`tollgate check\` on the policy`,
    uri: 'body',
    range: { start: 0, end: 0 },
    args: { exceeded },
  };
}

function startThread({ policyLint, policyMemory }: BodyCheckSettings, file: URL): Worker {
  return new Worker(file, {
    workerData: { policyLint },
    execArgv: file.pathname.endsWith('.ts') ? ['--conditions=tollgate-source'] : [],
    resourceLimits: { maxOldGenerationSizeMb: policyMemory, maxYoungGenerationSizeMb: 32 },
  });
}
