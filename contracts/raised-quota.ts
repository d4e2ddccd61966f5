/** Says how an administrator gives a namespace more of a resource. `least`: an amount that is enough. */
export function raisedQuota(
  {
    name,
    namespace,
    resource,
  }: { readonly name: string; readonly namespace: string; readonly resource: string },
  least: string,
): string {
  const patch = JSON.stringify({ spec: { hard: { [resource]: least } } });
  return `An administrator can raise it to ${least} or more: \`kubectl patch resourcequota ${name} -n ${namespace} --type merge -p '${patch}'\`.`;
}
