/** RFC 3339 in whole seconds, as Kubernetes writes it. */
export const timeOf = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
