import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { NAME_CONTRADICTS_WINDOW } from './name-contradicts-window.ts';

const limit = (name: string, rate: string) =>
  when('true', {
    action: `{type: rate-limit, config: {name: ${name}, algorithm: sliding_window, capacity: 300, rate: ${rate}, bucket_key: [conn.ClientIP]}}`,
  });

testRule(it, NAME_CONTRADICTS_WINDOW, {
  fires: {
    'for a window of a minute named per second': {
      policy: limit('«per-second»', '60s'),
      message: '`per-second` has a window of 60s, not of one second; rename it, or change `rate` and `capacity`',
    },
    'for a window of an hour named per minute': limit('«300 per minute»', '1h'),
    'for a capitalized unit': limit('«Each Day»', '1h30m'),
  },
  silent: {
    'for the same window in another notation': limit('300 per minute', '1m'),
    'for the same rate over a longer window': limit('30 per minute', '10m'),
    'for a name without a window': limit('second limit per client', '60s'),
    'for words that only contain a unit': limit('upper minutes per dayside', '60s'),
  },
});
