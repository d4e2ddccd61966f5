/** As much of the Prometheus operator as the API server needs to take its objects. */
export const PROMETHEUS_RESOURCES = ['PodMonitor', 'PrometheusRule'].map((kind) => {
  const [singular, plural] = [kind.toLowerCase(), `${kind.toLowerCase()}s`];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.monitoring.coreos.com` },
    spec: {
      group: 'monitoring.coreos.com',
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
});
