export { IMPACT_MEMBERS, jsonImpact } from './impact/json-impact.ts';
export { DECISION_MEMBERS, jsonReplay, REPLAY_MEMBERS, replayDocument } from './replay/json-replay.ts';
export { jsonTrace, TRACE_MEMBERS } from './trace/json-trace.ts';
