"""Generated from contracts/waits.ts by `npm run docs`."""

WAIT_PHRASES = {
    "ErrImagePull": "the image cannot be pulled",
    "ImagePullBackOff": "the image cannot be pulled",
    "ErrImageNeverPull": "the image is not on the node, and imagePullPolicy Never forbids to pull it",
    "InvalidImageName": "the name of the image is invalid",
    "ImageInspectError": "the image on the node cannot be read",
    "RegistryUnavailable": "the registry of the image does not answer",
    "SignatureValidationFailed": "the signature of the image is not valid",
    "CreateContainerConfigError": "the container cannot be configured",
    "CreateContainerError": "the container cannot be created",
    "RunContainerError": "the container cannot be started",
    "CrashLoopBackOff": "the container has failed and is run again after a pause",
    "ContainerCreating": "the node prepares the pod",
    "PodInitializing": "the init containers run",
}
"""What the reasons of waiting containers mean."""
