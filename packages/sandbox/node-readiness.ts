/** What is read of a Node. */
export interface ObservedNode {
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly taints?: readonly { readonly key: string }[] };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastHeartbeatTime?: string;
    }[];
  };
}

/** Ready, and the node controller has seen it: until then the scheduler keeps pods away by a taint. */
export function isNodeSchedulable({ spec, status }: ObservedNode): boolean {
  const ready =
    status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
  return ready && !spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/not-ready');
}
