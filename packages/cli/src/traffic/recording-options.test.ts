import { TRAFFIC_FORMATS } from '@tollgate/traffic';
import { expect, it } from 'vitest';
import { TRAFFIC_FORMAT_CHOICES } from './recording-options.ts';

it('offers every format that can be read, and no other', () => {
  expect(TRAFFIC_FORMAT_CHOICES).toEqual(TRAFFIC_FORMATS);
});
