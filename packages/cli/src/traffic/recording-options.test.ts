import { TRAFFIC_FORMATS } from '@tollgate/traffic';
import { expect, it } from 'vitest';
import { TRAFFIC_FORMAT_CHOICES } from './recording-options.ts';

it('offers exactly the formats that can be read', () => {
  expect(TRAFFIC_FORMAT_CHOICES).toEqual(TRAFFIC_FORMATS);
});
