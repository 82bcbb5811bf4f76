/** Returns a policy of one rule with this condition, in a block scalar that needs no escapes. */
export function when(
  condition: string,
  { phase = 'inbound', action = '{type: deny}' }: { readonly phase?: string; readonly action?: string } = {},
): string {
  return `${phase}:\n  - name: a rule\n    expressions:\n      - |-\n        ${condition}\n    actions: [${action}]\n`;
}
