import { PARAMETER_PREFIX, REPLACEMENT_VARIABLES } from '@tollgate/catalog';
import { expect, it } from 'vitest';
import { expandVariables } from './expand-variables.ts';

const URL = 'https://ada:pw@e.example:8443/a?page=2';

it.each(REPLACEMENT_VARIABLES.map(({ name }) => name))('expands the catalog variable $%s', name => {
  expect(expandVariables(`$${name}`, URL)).not.toContain('$');
});

it('expands query parameters', () => {
  expect(expandVariables(`$${PARAMETER_PREFIX}page`, URL)).toBe('2');
});
