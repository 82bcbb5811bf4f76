type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment for running `tollgate` with the editor's own Node. An untrusted workspace runs no code of its own, whatever the user
 * has trusted elsewhere; a trusted one needs no further permission.
 */
export function commandEnvironment(env: Env, isTrusted: boolean): Record<string, string> {
  const { NODE_OPTIONS: _, VSCODE_INSPECTOR_OPTIONS: __, ...rest } = env;
  const given = Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { ...Object.fromEntries(given), ELECTRON_RUN_AS_NODE: '1', TOLLGATE_TRUST: isTrusted ? '1' : '0' };
}
