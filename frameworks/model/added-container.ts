import type { Container } from '../../contracts/kubernetes.ts';
import { asFields, unlessEmpty, withoutUndefined } from '../../language/fields.ts';

/**
 * Returns a container that signalbox adds to a pod, as restricted as the pod's main container: Pod Security looks at each
 * container, so that a template that complies would be refused for the added one. It gets no privilege of the main one.
 */
export const restrictedAs = (added: Container, { securityContext }: Container): Container => ({
  ...added,
  ...withoutUndefined({ securityContext: restrictionsIn(asFields(securityContext)) }),
});

function restrictionsIn({ capabilities, ...given }: Readonly<Record<string, unknown>>) {
  const { drop } = asFields(capabilities);
  return unlessEmpty(
    withoutUndefined({
      allowPrivilegeEscalation: given.allowPrivilegeEscalation === false ? false : undefined,
      capabilities: drop === undefined ? undefined : { drop },
      ...Object.fromEntries(USER.map((field) => [field, given[field]])),
    }),
  );
}

/** Who runs it, and which system calls it may make. */
const USER = [
  'runAsNonRoot',
  'runAsUser',
  'runAsGroup',
  'seccompProfile',
  'seLinuxOptions',
  'appArmorProfile',
];
