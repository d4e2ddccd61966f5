/** The fields of a Node that decide whether pods can be scheduled on it. */
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

/** Whether the node is Ready and the node controller has removed its not-ready taint. */
export function isNodeSchedulable({ spec, status }: ObservedNode): boolean {
  const ready =
    status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
  return ready && !spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/not-ready');
}
