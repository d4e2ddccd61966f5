/** Returns Kubernetes' reason for an end in parentheses, with its message if it has one. */
export const reasonText = ({ reason, message }: { readonly reason: string; readonly message?: string }) =>
  ` (${reason}${message ? `: ${message.trim()}` : ''})`;
