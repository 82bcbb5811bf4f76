import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { InternalError } from '@tollgate/diagnostics';
import { createValidator } from '@tollgate/edge-api';
import { createPolicyAnalyser, type PolicyLint } from './policy-analysis.ts';
import { createPolicyCheck } from './policy-check.ts';
import { type BodyRequest, checkBody } from './request-body.ts';

// Runs in a thread: says when it is loaded, and answers each request body with the result of its check.

/** As of `nice`. */
const LOW_PRIORITY = 10;

const port = parentPort;
if (port === null) throw new InternalError('not in a thread');

// Linux has a priority for each thread: where all processors are busy, the event loop goes before the checks.
if (process.platform === 'linux') setPriority(LOW_PRIORITY);

const { policyLint } = workerData as { readonly policyLint: PolicyLint };
const checker = { validator: createValidator(), analyse: createPolicyCheck(createPolicyAnalyser(policyLint)) };
port.postMessage('loaded');
// As JSON, which the other side reads three times as fast as a clone.
port.on('message', (request: BodyRequest) => port.postMessage(JSON.stringify(checkBody(request, checker))));
