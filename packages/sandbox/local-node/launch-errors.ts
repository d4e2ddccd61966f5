/** The container can never be created as it stands; reason and message as its waiting state shows them. */
export class CreateContainerError extends Error {
  override readonly name = 'CreateContainerError';
}

/** The container was created, but its command cannot be started: it has ended before it began. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
