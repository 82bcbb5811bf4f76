import { type Environment, EvaluationError, extendEnvironment, type Implementation } from '@tollgate/cel';
import type { PhaseEnvironments } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';

/** Numbers for `rand.double()` and `rand.int()`: always the same ones for an exchange, whatever came before it. */
export interface Randomness {
  readonly begin: (exchange: Exchange) => void;
  /** Returns the position in the sequence. */
  readonly position: () => number;
  /** Moves to a position in the sequence. */
  readonly moveTo: (position: number) => void;
  /** Environments whose random functions draw these numbers. */
  readonly environments: PhaseEnvironments;
}

/** @param seed selects the numbers */
export function seededRandomness(environments: PhaseEnvironments, seed: number): Randomness {
  let state = 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    return unitOf(state);
  };
  const implementations = drawing(next);
  const seeded = (environment: Environment) => extendEnvironment(environment, { implementations });
  return {
    begin: ({ place }) => {
      state = hashOf(`${seed} ${place.file} ${place.number}`);
    },
    position: () => state,
    moveTo: position => {
      state = position;
    },
    environments: {
      inbound: seeded(environments.inbound),
      outbound: seeded(environments.outbound),
      on_tcp_connect: seeded(environments.on_tcp_connect),
      on_http_request: seeded(environments.on_http_request),
      on_http_response: seeded(environments.on_http_response),
      on_event_stream_message: seeded(environments.on_event_stream_message),
    },
  };
}

const EMPTY_RANGE = new EvaluationError('eval/empty-range', 'the range to draw from is empty');

function drawing(next: () => number): Readonly<Record<string, Implementation>> {
  const within = (min: number, max: number) => min + next() * (max - min);
  return {
    rand_double: { call: next, total: true },
    rand_double_double_double: {
      call: (min: number, max: number) => (min <= max ? within(min, max) : EMPTY_RANGE),
      total: false,
    },
    rand_int: { call: () => Math.floor(within(0, 2)), total: true },
    rand_int_int_int: {
      call: (min: number | bigint, max: number | bigint) =>
        min <= max ? Math.min(Math.floor(within(Number(min), Number(max) + 1)), Number(max)) : EMPTY_RANGE,
      total: false,
    },
  };
}

/** Mixes 32 bits into a number from 0 to less than 1 (the finalizer of MurmurHash3). */
function unitOf(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
