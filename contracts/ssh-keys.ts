/**
 * What stands in a Secret for the key of a job. The worker makes the key when it creates the Secret, so that nothing else has
 * it: no history, no record.
 */
export const SSH_PRIVATE_KEY = 'signalbox.dev/ssh-private-key';
export const SSH_PUBLIC_KEY = 'signalbox.dev/ssh-public-key';

/** Returns the content of a Secret with other texts in the place of these. */
export const withSshKey = (
  content: Readonly<Record<string, string>>,
  key: { readonly privateKey: string; readonly publicKey: string },
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(content).map(([name, text]) => {
      if (text === SSH_PRIVATE_KEY) return [name, key.privateKey];
      return [name, text === SSH_PUBLIC_KEY ? key.publicKey : text];
    }),
  );

/** Whether a Secret has a place for a key. */
export const holdsSshKey = (content: unknown): content is Readonly<Record<string, string>> =>
  typeof content === 'object' && content !== null && Object.values(content).includes(SSH_PRIVATE_KEY);
