import { commands, type QuickPickItem, window, workspace } from 'vscode';

interface MenuItem extends QuickPickItem {
  readonly command: string;
}

/** Offers what can be done with the active policy. The status bar item opens it. */
export async function showMenu(): Promise<void> {
  const items: readonly MenuItem[] = [
    { label: '$(debug-alt) Trace this rule on a request', command: 'tollgate.traceRule' },
    { label: '$(debug-alt-small) Trace the policy on a request', command: 'tollgate.tracePolicy' },
    { label: '$(history) Replay on recorded traffic', command: 'tollgate.replayTraffic' },
    ...(workspace.isTrusted
      ? [
          { label: '$(git-compare) Show the impact against HEAD', command: 'tollgate.showImpact' },
          { label: '$(graph) Show the impact on recorded traffic', command: 'tollgate.showTrafficImpact' },
        ]
      : [{ label: '$(workspace-untrusted) Manage workspace trust', command: 'workbench.trust.manage' }]),
    { label: '$(question) Explain a code', command: 'tollgate.explainCode' },
    { label: '$(list-flat) Show all problems', command: 'workbench.actions.view.problems' },
    { label: '$(output) Show the log', command: 'tollgate.showLog' },
  ];
  const item = await window.showQuickPick(items, { title: 'Tollgate' });
  if (item) await commands.executeCommand(item.command);
}
