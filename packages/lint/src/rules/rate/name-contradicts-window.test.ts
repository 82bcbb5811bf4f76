import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { NAME_CONTRADICTS_WINDOW } from './name-contradicts-window.ts';

const limit = (name: string, rate: string) =>
  when('true', {
    action: `{type: rate-limit, config: {name: ${name}, algorithm: sliding_window, capacity: 300, rate: ${rate}, bucket_key: [conn.ClientIP]}}`,
  });

testRule(it, NAME_CONTRADICTS_WINDOW, {
  fires: {
    'for a minute that is called a second': {
      policy: limit('«per-second»', '60s'),
      message:
        '`per-second` counts in a window of 60s, not of one second; name it after its window, or change `rate` and `capacity`',
    },
    'for an hour that is called a minute': limit('«300 per minute»', '1h'),
    'for a unit in capital letters': limit('«Each Day»', '1h30m'),
  },
  silent: {
    'for the same window, however it is written': limit('300 per minute', '1m'),
    'for the same number of requests in a longer window': limit('30 per minute', '10m'),
    'for names that tell no window': limit('second limit per client', '60s'),
    'for words that only begin like a unit': limit('upper minutes per dayside', '60s'),
  },
});
