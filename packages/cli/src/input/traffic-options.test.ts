import { SQL_FIELD_MAPPING_NAMES } from '@tollgate/query';
import { TRAFFIC_FORMATS } from '@tollgate/traffic';
import { expect, it } from 'vitest';
import { READY_MAPPING_CHOICES, TRAFFIC_FORMAT_CHOICES } from './traffic-options.ts';

it('offers exactly the formats that can be read', () => {
  expect(TRAFFIC_FORMAT_CHOICES).toEqual(TRAFFIC_FORMATS);
});

it('offers exactly the mappings that tables can have', () => {
  expect(READY_MAPPING_CHOICES).toEqual(SQL_FIELD_MAPPING_NAMES);
});
