/** The role of a value in a policy; `filled` is a string that contains expressions. */
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
