/** What a value is in a policy; `filled` is a text with expressions in it. */
export type Role =
  | 'policy'
  | 'rules'
  | 'rule'
  | 'expressions'
  | 'expression'
  | 'actions'
  | 'action'
  | 'filled'
  | 'other';
