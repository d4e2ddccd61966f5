{{/* Names begin with the release, as far as a label may be long. */}}
{{- define "signalbox.fullname" -}}
{{- $name := .Values.fullnameOverride | default (contains "signalbox" .Release.Name | ternary .Release.Name (printf "%s-signalbox" .Release.Name)) -}}
{{- $name | trunc 45 | trimSuffix "-" -}}
{{- end -}}

{{- define "signalbox.labels" -}}
app.kubernetes.io/name: signalbox
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Of a part: dict "root" $ "part" "worker" */}}
{{- define "signalbox.selector" -}}
app.kubernetes.io/component: {{ .part }}
app.kubernetes.io/part-of: signalbox
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end -}}

{{/* The parts that run, as JSON. */}}
{{- define "signalbox.parts" -}}
{{- $parts := list "worker" "watcher" -}}
{{- if .Values.jobs.customResources }}{{ $parts = append $parts "bridge" }}{{ end -}}
{{- if .Values.notifications.enabled }}{{ $parts = append $parts "notifier" }}{{ end -}}
{{- if .Values.console.enabled }}{{ $parts = append $parts "console" }}{{ end -}}
{{- toJson $parts -}}
{{- end -}}

{{- define "signalbox.serviceAccount" -}}
{{- $account := (index .root.Values .part).serviceAccount -}}
{{- $account.create | ternary (printf "%s-%s" (include "signalbox.fullname" .root) .part) $account.name -}}
{{- end -}}

{{- define "signalbox.image" -}}
{{- with .Values.image -}}
{{- empty .digest | ternary (printf "%s:%s" .repository (.tag | default $.Chart.AppVersion)) (printf "%s@%s" .repository .digest) -}}
{{- end -}}
{{- end -}}

{{- define "signalbox.claim" -}}
{{- .Values.record.claim.existingClaim | default (printf "%s-record" (include "signalbox.fullname" .)) -}}
{{- end -}}

{{/* What the values say, as settings; .Values.settings wins. */}}
{{- define "signalbox.settings" -}}
{{- $fullname := include "signalbox.fullname" . -}}
{{- $tls := .Values.temporal.tls -}}
{{- $settings := dict
  "TEMPORAL_ADDRESS" .Values.temporal.address
  "TEMPORAL_NAMESPACE" .Values.temporal.namespace
  "SIGNALBOX_TASK_QUEUE" .Values.temporal.taskQueue
  "SIGNALBOX_LEASE_NAMESPACE" .Release.Namespace
  "SIGNALBOX_LEASE_NAME" (printf "%s-watcher" $fullname)
  "SIGNALBOX_BRIDGE_LEASE_NAME" (printf "%s-bridge" $fullname)
  "SIGNALBOX_LOG_LEVEL" "info"
  "SIGNALBOX_HTTP_HOST" "0.0.0.0"
  "SIGNALBOX_HTTP_PORT" "9464" -}}
{{- if $tls.enabled }}{{ $_ := set $settings "TEMPORAL_TLS" "true" }}{{ end -}}
{{- with $tls.serverName }}{{ $_ := set $settings "TEMPORAL_TLS_SERVER_NAME" . }}{{ end -}}
{{- if $tls.clientSecret -}}
{{- $_ := set $settings "TEMPORAL_TLS_CLIENT_CERT_PATH" "/etc/signalbox/tls-client/tls.crt" -}}
{{- $_ := set $settings "TEMPORAL_TLS_CLIENT_KEY_PATH" "/etc/signalbox/tls-client/tls.key" -}}
{{- end -}}
{{- if $tls.caSecret }}{{ $_ := set $settings "TEMPORAL_TLS_SERVER_CA_CERT_PATH" "/etc/signalbox/tls-ca/ca.crt" }}{{ end -}}
{{- if .Values.jobs.requireResource }}{{ $_ := set $settings "SIGNALBOX_REQUIRE_RESOURCE" "true" }}{{ end -}}
{{- if .Values.jobs.policies.requester }}{{ $_ := set $settings "SIGNALBOX_REQUESTER_STAMPED" "true" }}{{ end -}}
{{- with .Values.jobs.namespaces }}{{ $_ := set $settings "SIGNALBOX_NAMESPACES" (join "," .) }}{{ end -}}
{{- range $what, $bucket := dict "EVIDENCE" .Values.record.s3.evidenceBucket "ARCHIVE" .Values.record.s3.archiveBucket -}}
{{- if eq $.Values.record.store "s3" -}}
{{- $_ := set $settings (printf "SIGNALBOX_%s_STORE" $what) "s3" -}}
{{- $_ := set $settings (printf "SIGNALBOX_%s_BUCKET" $what) $bucket -}}
{{- with $.Values.record.s3.region }}{{ $_ := set $settings (printf "SIGNALBOX_%s_REGION" $what) . }}{{ end -}}
{{- with $.Values.record.s3.endpoint }}{{ $_ := set $settings (printf "SIGNALBOX_%s_ENDPOINT" $what) . }}{{ end -}}
{{- else -}}
{{- $_ := set $settings (printf "SIGNALBOX_%s_STORE" $what) "files" -}}
{{- $_ := set $settings (printf "SIGNALBOX_%s_DIR" $what) (printf "/var/lib/signalbox/%s" (lower $what)) -}}
{{- end -}}
{{- end -}}
{{- if eq .Values.record.store "none" -}}
{{- $_ := set $settings "SIGNALBOX_ARCHIVE_STORE" "none" -}}
{{- $_ := unset $settings "SIGNALBOX_ARCHIVE_DIR" -}}
{{- end -}}
{{- range $name, $value := mustMergeOverwrite $settings .Values.settings }}
{{ $name }}: {{ $value | toString | quote }}
{{- end -}}
{{- end -}}

{{/* Any reader of the ConfigMap would see them. */}}
{{- define "signalbox.refuseSecrets" -}}
{{- range $name, $value := dict "TEMPORAL_API_KEY" "temporal.apiKey" "SIGNALBOX_ARCHIVE_KEY" "record.archiveKey" -}}
{{- if hasKey $.Values.settings $name -}}
{{- fail (printf "settings.%s: expected no secret among the settings; put it into a Secret and name that in %s.existingSecret, its key in %s.key" $name $value $value) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Two releases that poll one task queue take each other's jobs, and both signal them. Without a cluster none is found. */}}
{{- define "signalbox.refuseTwin" -}}
{{- $mine := include "signalbox.settings" . | fromYaml -}}
{{- range (lookup "v1" "ConfigMap" .Release.Namespace "").items -}}
{{- $labels := .metadata.labels | default dict -}}
{{- $release := get $labels "app.kubernetes.io/instance" -}}
{{- if and (eq (get $labels "app.kubernetes.io/name") "signalbox") (hasSuffix "-settings" .metadata.name) (ne $release $.Release.Name) -}}
{{- $other := . -}}
{{- $different := false -}}
{{- range list "TEMPORAL_ADDRESS" "TEMPORAL_NAMESPACE" "SIGNALBOX_TASK_QUEUE" -}}
{{- $different = or $different (ne (get $mine .) (get $other.data .)) -}}
{{- end -}}
{{- if not $different -}}
{{- fail (printf "the release %s in namespace %s already serves the task queue %s of this Temporal: change it with `helm upgrade %s`, or set temporal.taskQueue" $release $.Release.Namespace $.Values.temporal.taskQueue $release) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Whoever reaches the console could do all that it may; and what a schema cannot say in a sentence. */}}
{{- define "signalbox.refuseOpenConsole" -}}
{{- with .Values.console -}}
{{- if .enabled -}}
{{- if not (has .identity (list "kubernetes" "proxy" "oidc")) -}}
{{- fail (printf "console.identity: expected kubernetes, proxy or oidc, got %s: in a cluster everybody who reaches the console could do what it shows" (quote .identity)) -}}
{{- end -}}
{{- if and (eq .identity "proxy") (not .proxy.addresses) -}}
{{- fail "console.proxy.addresses: expected the addresses of the proxies that are believed, e.g. [10.1.0.0/16], got none: anybody could call himself anybody" -}}
{{- end -}}
{{- if not $.Values.clusterRights -}}
{{- fail "console.enabled: expected clusterRights, got false: only with rights in the cluster can the console ask who people are, and what they may do" -}}
{{- end -}}
{{- if and (eq .identity "oidc") (not (and .url .oidc.issuer .oidc.clientId)) -}}
{{- fail "console.oidc: expected issuer and clientId, and console.url, to which the provider sends people back; got not all of them" -}}
{{- end -}}
{{- if and (gt (int .replicas) 1) (eq .identity "kubernetes") -}}
{{- fail (printf "console.replicas: expected at most 1, got %v: which token is whose is known to one process" .replicas) -}}
{{- end -}}
{{- if and (gt (int .replicas) 1) (not .sessionKey.existingSecret) -}}
{{- fail (printf "console.replicas: expected at most 1 without console.sessionKey.existingSecret, got %v: they need one key of sessions and forms" .replicas) -}}
{{- end -}}
{{- if and .ingress.enabled (not (or .ingress.host .url)) -}}
{{- fail "console.ingress.host: expected a name, or console.url, got none" -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The variables that come from single keys of Secrets. */}}
{{- define "signalbox.env" -}}
{{- $env := list -}}
{{- with .root.Values.temporal.apiKey -}}
{{- if .existingSecret -}}
{{- $env = append $env (dict "name" "TEMPORAL_API_KEY" "valueFrom" (dict "secretKeyRef" (dict "name" .existingSecret "key" .key))) -}}
{{- end -}}
{{- end -}}
{{- with .root.Values.record.archiveKey -}}
{{- if and .existingSecret (eq $.part "worker") -}}
{{- $env = append $env (dict "name" "SIGNALBOX_ARCHIVE_KEY" "valueFrom" (dict "secretKeyRef" (dict "name" .existingSecret "key" .key))) -}}
{{- end -}}
{{- end -}}
{{- if eq .part "notifier" -}}
{{- $env = append $env (dict "name" "SIGNALBOX_NOTIFICATIONS" "value" "/etc/signalbox/routes/routes.yaml") -}}
{{- end -}}
{{- with .root.Values.console -}}
{{- if and .enabled .url (has $.part (list "console" "worker" "notifier")) -}}
{{- $env = append $env (dict "name" "SIGNALBOX_CONSOLE_URL" "value" .url) -}}
{{- end -}}
{{- end -}}
{{- if eq .part "console" -}}
{{- with .root.Values.console -}}
{{- $settings := list
  (dict "name" "SIGNALBOX_CONSOLE_HOST" "value" "0.0.0.0")
  (dict "name" "SIGNALBOX_CONSOLE_PORT" "value" "8470")
  (dict "name" "SIGNALBOX_CONSOLE_IDENTITY" "value" .identity) -}}
{{- with .temporalUi }}{{ $settings = append $settings (dict "name" "SIGNALBOX_TEMPORAL_UI" "value" .) }}{{ end -}}
{{- if .readOnly }}{{ $settings = append $settings (dict "name" "SIGNALBOX_CONSOLE_READ_ONLY" "value" "true") }}{{ end -}}
{{- if eq .identity "proxy" -}}
{{- $settings = append $settings (dict "name" "SIGNALBOX_CONSOLE_PROXIES" "value" (join "," .proxy.addresses)) -}}
{{- with .proxy.userHeader }}{{ $settings = append $settings (dict "name" "SIGNALBOX_CONSOLE_USER_HEADER" "value" .) }}{{ end -}}
{{- with .proxy.groupsHeader }}{{ $settings = append $settings (dict "name" "SIGNALBOX_CONSOLE_GROUPS_HEADER" "value" .) }}{{ end -}}
{{- end -}}
{{- if eq .identity "oidc" -}}
{{- range $name, $value := dict "ISSUER" .oidc.issuer "CLIENT_ID" .oidc.clientId "SCOPES" .oidc.scopes "USER_CLAIM" .oidc.userClaim "GROUPS_CLAIM" .oidc.groupsClaim "ALLOWED_GROUPS" (join "," .oidc.allowedGroups) -}}
{{- if $value }}{{ $settings = append $settings (dict "name" (printf "SIGNALBOX_CONSOLE_OIDC_%s" $name) "value" $value) }}{{ end -}}
{{- end -}}
{{- with .oidc.sessionHours }}{{ $settings = append $settings (dict "name" "SIGNALBOX_CONSOLE_SESSION_HOURS" "value" (toString .)) }}{{ end -}}
{{- if .oidc.clientSecret.existingSecret }}{{ $settings = append $settings (dict "name" "SIGNALBOX_CONSOLE_OIDC_SECRET_FILE" "value" "/etc/signalbox/oidc/client-secret") }}{{ end -}}
{{- end -}}
{{- if .sessionKey.existingSecret }}{{ $settings = append $settings (dict "name" "SIGNALBOX_CONSOLE_SESSION_KEY_FILE" "value" "/etc/signalbox/session/session-key") }}{{ end -}}
{{- $env = concat $env $settings -}}
{{- end -}}
{{- end -}}
{{- $part := .part -}}
{{- range (index .root.Values .part).extraEnv -}}
{{- $name := .name -}}
{{- range $env -}}
{{- if eq .name $name -}}
{{- fail (printf "%s.extraEnv: %s is set already, by %s: leave one of them out" $part $name (has $name (list "TEMPORAL_API_KEY" "SIGNALBOX_ARCHIVE_KEY") | ternary "temporal.apiKey or record.archiveKey" (printf "a value of %s" $part))) -}}
{{- end -}}
{{- end -}}
{{- $env = append $env . -}}
{{- end -}}
{{- with $env }}{{ toYaml . }}{{ end -}}
{{- end -}}
