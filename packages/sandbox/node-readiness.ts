export interface NodeStatus {
  metadata: { name: string };
  spec?: { taints?: { key: string }[] };
  status?: { conditions?: { type: string; status: string; lastHeartbeatTime?: string }[] };
}

/** Ready, and the node controller has seen it: until then the scheduler keeps pods away by a taint. */
export function isUsable({ spec, status }: NodeStatus): boolean {
  const ready =
    status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
  return ready && !spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/not-ready');
}
