import { PARAMETER_PREFIX, REPLACEMENT_VARIABLES } from '@tollgate/catalog';
import { expect, it } from 'vitest';
import { expandVariables } from './expand-variables.ts';

const URL = 'https://ada:pw@e.example:8443/a?page=2';

it.each(REPLACEMENT_VARIABLES.map(({ name }) => name))('knows the variable $%s of the catalog', name => {
  expect(expandVariables(`$${name}`, URL)).not.toContain('$');
});

it('knows the parameters of the query', () => {
  expect(expandVariables(`$${PARAMETER_PREFIX}page`, URL)).toBe('2');
});
