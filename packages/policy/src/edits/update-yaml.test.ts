import { describe, expect, it } from 'vitest';
import { updateYaml } from './update-yaml.ts';

const ROOT = { document: undefined, steps: [] };

const POLICY = `# The shop.
inbound:
  # Robots are not welcome.
  - name: no robots # yet
    actions:
      - type: deny # for now
        config: { status_code: 403 }
  # Old paths.
  - name: moved
    actions: [{ type: log }]
`;

describe('updateYaml', () => {
  it('keeps comments with the rules that they belong to', () => {
    const updated = updateYaml(POLICY, ROOT, {
      inbound: [
        { name: 'moved', actions: [{ type: 'log' }] },
        { name: 'new', actions: [{ type: 'log' }] },
        { name: 'no robots', actions: [{ type: 'deny', config: { status_code: 404 } }] },
      ],
    });
    expect(updated).toBe(`# The shop.
inbound:
  # Old paths.
  - name: moved
    actions: [ { type: log } ]
  - name: new
    actions:
      - type: log
  # Robots are not welcome.
  - name: no robots # yet
    actions:
      - type: deny # for now
        config: { status_code: 404 }
`);
  });

  it('changes one part of one document', () => {
    const text = 'kind: A\n---\n# Second.\nspec:\n  policy: {}\n  other: 1 # kept\n';
    const updated = updateYaml(text, { document: 2, steps: ['spec', 'policy'] }, { outbound: [] });
    expect(updated).toBe('kind: A\n---\n# Second.\nspec:\n  policy: { outbound: [] }\n  other: 1 # kept\n');
  });

  it('adds missing maps on the way, also to an empty text', () => {
    expect(updateYaml('', { document: undefined, steps: ['targets', 'shop'] }, { policy: 'shop.yaml' })).toBe(
      'targets:\n  shop:\n    policy: shop.yaml\n',
    );
  });

  it('rejects YAML with errors', () => {
    expect(updateYaml('a: [', ROOT, {})).toBeUndefined();
  });

  it.each([
    ['targets: # none yet\n', 'targets:\n  shop: 1\n  # none yet\n'],
    ['# Nothing.\n', '# Nothing.\ntargets:\n  shop: 1\n'],
    ['~\n', 'targets:\n  shop: 1\n'],
  ])('replaces a null on the way in %j', (text, expected) => {
    expect(updateYaml(text, { document: undefined, steps: ['targets', 'shop'] }, 1)).toBe(expected);
  });

  it.each(['spec: 1', 'spec: [1]', '- 1', 'text'])('rejects a path with no place in `%s`', text => {
    expect(updateYaml(text, { document: undefined, steps: ['spec', 'policy'] }, {})).toBeUndefined();
  });
});
