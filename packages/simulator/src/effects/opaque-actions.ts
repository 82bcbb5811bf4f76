import { UnknownPresence } from '@tollgate/cel';
import { replaceHeader } from '../message/header-map.ts';
import { textOr } from './config.ts';
import type { PrepareAction } from './effect.ts';

/**
 * Opaque: each server of the edge counts for itself, by an algorithm of which only the name is published, and a recording says
 * neither which server a request came to nor what else came in its window.
 */
export const rateLimit: PrepareAction = config => {
  const outcome = { kind: 'refused', status: 429, action: 'rate-limit' } as const;
  const needs = [`the counters of the rate limit \`${textOr(config.name, '')}\``];
  return state => ({ kind: 'may-end', outcome, state, needs });
};

/**
 * Opaque: the edge chooses the algorithm by what the client accepts, and leaves alone what is compressed already or not worth it. Of
 * the response's headers these may change.
 */
export const compressResponse: PrepareAction = (_, context) => {
  if (context.phase === 'inbound') return state => ({ kind: 'continues', state });
  return state => {
    const headers = COMPRESSION_HEADERS.reduce(
      (left, name) => replaceHeader(left, name, COMPRESSION_UNKNOWN),
      state.response.headers,
    );
    return { kind: 'continues', state: { ...state, response: { ...state.response, headers } } };
  };
};

const COMPRESSION_HEADERS = ['Content-Encoding', 'Content-Length', 'Vary'];
const COMPRESSION_UNKNOWN = new UnknownPresence(['what `compress-response` does']);
