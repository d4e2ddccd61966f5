/** A kubeconfig for a process that has no cluster: nobody answers there. */
export const NOBODYS_CLUSTER = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'nobodys',
  contexts: [{ name: 'nobodys', context: { cluster: 'nobodys', user: 'nobody' } }],
  clusters: [{ name: 'nobodys', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'nobody', user: {} }],
});
