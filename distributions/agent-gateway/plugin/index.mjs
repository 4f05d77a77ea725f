// Generated from ../tracing-plugin by `npm run plugin`. Changes belong there.

// fields.ts
var MAX_TEXT = 256;
var NONE = {};
function fieldsOf(value) {
  return typeof value === "object" && value !== null ? value : NONE;
}
function textOf(value) {
  if (typeof value !== "string" || value === "") return void 0;
  return value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value;
}
function countOf(value) {
  return typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY ? value : void 0;
}
function listOf(value) {
  return Array.isArray(value) ? value : [];
}

// content.ts
var MAX_CONTENT = 8192;
var NONE2 = {
  inputMessages: false,
  outputMessages: false,
  toolInputs: false,
  toolOutputs: false,
  systemPrompt: false
};
function contentPolicyOf(setting) {
  if (setting === true) {
    return { inputMessages: true, outputMessages: true, toolInputs: true, toolOutputs: true, systemPrompt: false };
  }
  const named = fieldsOf(setting);
  if (named.enabled !== true) return NONE2;
  return {
    inputMessages: named.inputMessages === true,
    outputMessages: named.outputMessages === true,
    toolInputs: named.toolInputs === true,
    toolOutputs: named.toolOutputs === true,
    systemPrompt: named.systemPrompt === true
  };
}
function contentOf(value) {
  if (value === void 0 || value === null) return void 0;
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  return text === "" ? void 0 : shortened(text);
}
function messagesOf(role, texts) {
  const said = texts.filter((text) => typeof text === "string" && text !== "");
  if (said.length === 0) return void 0;
  return JSON.stringify(said.slice(0, 16).map((text) => ({ role, parts: [{ type: "text", content: shortened(text) }] })));
}
function sizeOf(content) {
  if (typeof content === "string") return { chars: content.length, parts: 1 };
  let chars = 0;
  const parts = listOf(content);
  for (const part of parts) {
    const { text } = fieldsOf(part);
    if (typeof text === "string") chars += text.length;
  }
  return { chars, parts: parts.length };
}
function shortened(text) {
  return text.length > MAX_CONTENT ? `${text.slice(0, MAX_CONTENT)}… (${text.length} characters)` : text;
}

// ids.ts
import { createHash, randomFillSync } from "node:crypto";
function isTraceId(value) {
  return typeof value === "string" && /^(?!0{32})[0-9a-f]{32}$/.test(value);
}
function isSpanId(value) {
  return typeof value === "string" && /^(?!0{16})[0-9a-f]{16}$/.test(value);
}
function newTraceId() {
  return nonZero(16);
}
function newSpanId() {
  return nonZero(8);
}
function hashed(identifier) {
  return `sha256:${createHash("sha256").update(identifier).digest("hex").slice(0, 12)}`;
}
function isSampled(traceId, rate) {
  if (rate >= 1) return true;
  let folded = 0;
  for (let i = 0; i < 32; i += 8) folded = (folded ^ Number.parseInt(traceId.slice(i, i + 8), 16)) >>> 0;
  return folded < Math.floor(rate * 4294967295);
}
var pool = Buffer.alloc(4096);
var next = pool.length;
function nonZero(bytes) {
  if (next + bytes > pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  const id = pool.toString("hex", next, next + bytes);
  next += bytes;
  return /^0+$/.test(id) ? nonZero(bytes) : id;
}

// tracker.ts
function runIdOf(event, context) {
  return textOf(event.runId) ?? textOf(context.runId);
}
function sessionKeyOf(event, context) {
  return textOf(context.sessionKey) ?? textOf(event.sessionKey);
}
function turnOf(tracker, event, context, now) {
  const runId = runIdOf(event, context);
  if (runId === void 0) return void 0;
  const sessionKey = sessionKeyOf(event, context);
  const { requests } = tracker;
  let turn = requests.run(runId);
  if (turn) requests.touchTurn(turn, now);
  else {
    const trigger = textOf(context.trigger);
    const { traceId } = fieldsOf(context.trace);
    turn = requests.begin(
      runId,
      {
        sessionKey,
        traceId: isTraceId(traceId) ? traceId : void 0,
        takesMessage: trigger === void 0 || trigger === "user"
      },
      now
    );
  }
  describe(turn, event, context);
  return turn;
}
function currentTurn(tracker, event, context, now) {
  const runId = runIdOf(event, context);
  const sessionKey = sessionKeyOf(event, context);
  const turn = (runId === void 0 ? void 0 : tracker.requests.run(runId)) ?? (sessionKey === void 0 ? void 0 : tracker.requests.session(sessionKey));
  if (turn === void 0 || turn.exported) return void 0;
  tracker.requests.touchTurn(turn, now);
  return turn;
}
function traceOf(tracker, turn, context) {
  const { traceId, spanId, parentSpanId, parentSpanIdSource } = fieldsOf(context.trace);
  if (isTraceId(traceId)) tracker.requests.trace(turn.request, traceId);
  return {
    traceId: isTraceId(traceId) ? traceId : void 0,
    spanId: isSpanId(spanId) ? spanId : void 0,
    parentSpanId: isSpanId(parentSpanId) ? parentSpanId : void 0,
    remote: parentSpanIdSource === "remote"
  };
}
function describe(turn, event, context) {
  const { request } = turn;
  turn.agentId ??= textOf(context.agentId);
  turn.provider ??= textOf(context.modelProviderId) ?? textOf(event.provider);
  turn.model ??= textOf(context.modelId) ?? textOf(event.model);
  turn.trigger ??= textOf(context.trigger);
  request.sessionId ??= textOf(context.sessionId) ?? textOf(event.sessionId);
  request.channel ??= textOf(context.channel) ?? textOf(context.messageProvider);
  request.sender ??= textOf(context.senderId);
}

// usage.ts
function usageOf(value) {
  const fields = fieldsOf(value);
  const [input2, output2] = [countOf(fields.input), countOf(fields.output)];
  const cost = countOf(fields.cost) ?? countOf(fieldsOf(fields.cost).total);
  if (input2 === void 0 && output2 === void 0 && cost === void 0) return void 0;
  return {
    input: input2 ?? 0,
    output: output2 ?? 0,
    cacheRead: countOf(fields.cacheRead) ?? 0,
    cacheWrite: countOf(fields.cacheWrite) ?? 0,
    cost
  };
}
function added(a, b) {
  if (a === void 0 || b === void 0) return a ?? b;
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    cost: a.cost === void 0 ? b.cost : a.cost + (b.cost ?? 0)
  };
}
function promptTokens(usage) {
  return usage.input + usage.cacheRead + usage.cacheWrite;
}

// hooks-agent.ts
var heard = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now);
  if (turn) adopt(tracker, turn, context);
};
var prepare = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now);
  if (turn === void 0) return;
  adopt(tracker, turn, context);
  if (turn.prepared) return;
  turn.start = now;
  turn.prepared = true;
};
var input = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now);
  if (turn === void 0) return;
  adopt(tracker, turn, context);
  if (tracker.content.inputMessages) turn.inputMessages = messagesOf("user", [event.prompt]);
  if (tracker.content.systemPrompt && typeof event.systemPrompt === "string") {
    turn.systemPrompt = JSON.stringify([{ type: "text", content: event.systemPrompt.slice(0, 8192) }]);
  }
};
var output = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now);
  if (turn === void 0) return;
  adopt(tracker, turn, context);
  turn.usage = usageOf(event.usage) ?? turn.usage;
  turn.harness ??= textOf(event.harnessId);
  turn.contextLimit ??= countOf(event.contextTokenBudget);
  if (tracker.content.outputMessages) turn.outputMessages = messagesOf("assistant", listOf(event.assistantTexts));
};
var end = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now);
  if (turn === void 0) return;
  adopt(tracker, turn, context);
  if (turn.end !== void 0) return;
  turn.end = now;
  turn.durationMs = countOf(event.durationMs);
  if (typeof event.success === "boolean") turn.success = event.success;
  if (event.error !== void 0 && event.error !== null) turn.error = String(event.error).slice(0, 2048);
  if (turn.start === now && turn.durationMs !== void 0) turn.start = now - turn.durationMs;
};
function adopt(tracker, turn, context) {
  const { spanId, parentSpanId, remote } = traceOf(tracker, turn, context);
  const { request } = turn;
  if (request.exported || request.rootId !== void 0 || spanId === void 0) return;
  request.rootId = remote ? spanId : parentSpanId ?? spanId;
  if (remote) request.parentId = parentSpanId;
}
var AGENT_HOOKS = {
  before_agent_reply: heard,
  before_model_resolve: heard,
  agent_turn_prepare: prepare,
  before_prompt_build: heard,
  before_agent_start: heard,
  llm_input: input,
  llm_output: output,
  agent_end: end
};

// hooks-messages.ts
var received = (tracker, event, context, now) => {
  const messageId = textOf(event.messageId) ?? textOf(context.messageId);
  const request = tracker.requests.receive(sessionKeyOf(event, context), messageId, now);
  if (request.channel !== void 0) return;
  const metadata = fieldsOf(event.metadata);
  request.channel = textOf(context.channelId) ?? textOf(metadata.surface) ?? textOf(event.channel) ?? "unknown";
  request.sender = textOf(event.senderId) ?? textOf(context.senderId) ?? textOf(event.from);
  if (tracker.content.inputMessages && typeof event.content === "string") request.content = event.content.slice(0, 8192);
  tracker.count("messages.received", request.channel);
};
var replying = (tracker, event, context, now) => {
  const turn = currentTurn(tracker, event, context, now);
  if (turn === void 0) return;
  const state = fieldsOf(event.usageState);
  turn.provider ??= textOf(state.provider);
  turn.model = textOf(state.model) ?? turn.model;
  turn.agentId ??= textOf(state.agentId);
  turn.usage ??= usageOf(state.usage);
  turn.cost = countOf(state.turnUsd) ?? turn.cost;
  turn.contextLimit ??= countOf(state.contextTokenBudget);
  turn.contextUsed ??= countOf(state.contextUsedTokens);
  if (event.kind === "final") turn.answered = true;
};
var sending = (tracker, event, context, now) => {
  const request = requestOf(tracker, event, context, now);
  if (request) request.sending++;
};
var sent = (tracker, event, context, now) => {
  const request = requestOf(tracker, event, context, now);
  if (event.success === false) {
    if (request) request.sendError = true;
  } else if (request) request.sent++;
  else tracker.count("messages.sent", textOf(context.channelId));
};
var requestOf = (...[tracker, event, context, now]) => {
  const turn = currentTurn(tracker, event, context, now);
  if (turn) return turn.request;
  const sessionKey = sessionKeyOf(event, context);
  if (sessionKey === void 0 || runIdOf(event, context) !== void 0) return void 0;
  const request = tracker.requests.waiting(sessionKey);
  if (request) tracker.requests.touch(request, now);
  return request;
};
var MESSAGE_HOOKS = {
  message_received: received,
  reply_payload_sending: replying,
  message_sending: sending,
  message_sent: sent
};

// hooks-model.ts
var started = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now);
  if (turn === void 0) return;
  const call = callOf(turn, textOf(event.callId));
  call.start ??= now;
  turn.answered = false;
  note(call, event);
  adopt2(tracker, turn, call, context);
};
var ended = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now);
  if (turn === void 0) return;
  const call = callOf(turn, textOf(event.callId));
  if (call.end !== void 0) return;
  call.end = now;
  note(call, event);
  adopt2(tracker, turn, call, context);
  call.durationMs = countOf(event.durationMs);
  call.requestBytes = countOf(event.requestPayloadBytes);
  call.responseBytes = countOf(event.responseStreamBytes);
  call.timeToFirstByteMs = countOf(event.timeToFirstByteMs);
  if (event.outcome === "error") call.error = textOf(event.failureKind) ?? textOf(event.errorCategory) ?? "error";
};
var written = (tracker, event, context, now) => {
  const message = fieldsOf(event.message);
  if (message.role !== "assistant") return;
  const turn = currentTurn(tracker, event, context, now);
  if (turn === void 0) return;
  const stopReason = textOf(message.stopReason);
  if (stopReason !== void 0 && !/^tool/.test(stopReason)) turn.answered = true;
  const usage = usageOf(message.usage);
  turn.spent = added(turn.spent, usage);
  const call = lastWithoutUsage(turn);
  if (call === void 0) return;
  call.usage = usage;
  if (usage !== void 0) turn.callsTell = true;
  call.stopReason = stopReason;
  call.responseId = textOf(message.responseId);
};
function lastWithoutUsage(turn) {
  let found;
  for (const call of turn.calls.values()) if (call.usage === void 0) found = call;
  return found;
}
function callOf(turn, id) {
  const key = id ?? "unnamed";
  const known = turn.calls.get(key);
  if (known && (id !== void 0 || known.end === void 0)) return known;
  const call = {
    ...{ start: void 0, end: void 0, durationMs: void 0, spanId: void 0 },
    ...{ provider: void 0, model: void 0, api: void 0, transport: void 0, error: void 0 },
    ...{ requestBytes: void 0, responseBytes: void 0, timeToFirstByteMs: void 0 },
    ...{ usage: void 0, stopReason: void 0, responseId: void 0 }
  };
  if (known) turn.calls.set(`unnamed ${turn.calls.size}`, known);
  turn.calls.set(key, call);
  return call;
}
function note(call, event) {
  call.provider ??= textOf(event.provider);
  call.model ??= textOf(event.model);
  call.api ??= textOf(event.api);
  call.transport ??= textOf(event.transport);
}
function adopt2(tracker, turn, call, context) {
  const { spanId, parentSpanId } = traceOf(tracker, turn, context);
  call.spanId ??= spanId;
  turn.spanId ??= parentSpanId;
}
var MODEL_HOOKS = {
  model_call_started: started,
  model_call_ended: ended,
  before_message_write: written
};

// hooks-session.ts
var spawned = (tracker, event, context, now) => {
  const parent = textOf(context.requesterSessionKey);
  const child = textOf(event.childSessionKey) ?? textOf(context.childSessionKey);
  const turn = parent === void 0 ? void 0 : tracker.requests.session(parent);
  if (turn === void 0 || turn.exported || child === void 0 || turn.subagents.has(child)) return;
  const subagent = {
    ...{ sessionKey: child, start: now, end: void 0, durationMs: void 0, exported: false, spanId: void 0 },
    ...{ agentId: textOf(event.agentId), model: textOf(event.resolvedModel), outcome: void 0 }
  };
  turn.subagents.set(child, subagent);
  tracker.requests.expect(child, { turn, subagent });
  tracker.requests.touchTurn(turn, now);
};
var subagentEnded = (tracker, event, context, now) => {
  const child = textOf(event.targetSessionKey) ?? textOf(context.childSessionKey);
  const cause = child === void 0 ? void 0 : tracker.requests.causeOf(child);
  if (cause === void 0 || cause.subagent.end !== void 0 || cause.subagent.exported) return;
  cause.subagent.end = now;
  cause.subagent.outcome = textOf(event.outcome) ?? textOf(event.reason);
  tracker.requests.touchTurn(cause.turn, now);
};
var SESSION_HOOKS = {
  subagent_spawned: spawned,
  subagent_ended: subagentEnded,
  before_reset: (tracker) => tracker.count("session.resets")
};

// hooks-tools.ts
var before = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now);
  if (turn === void 0) return;
  const { spanId, parentSpanId } = traceOf(tracker, turn, context);
  turn.spanId ??= spanId;
  if (!turn.request.exported) turn.request.rootId ??= parentSpanId;
  const tool = toolOf(turn, event, context, true);
  tool.start ??= now;
  if (tracker.content.toolInputs) tool.input = contentOf(event.params);
};
var after = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now);
  if (turn === void 0) return;
  const tool = toolOf(turn, event, context, false);
  tool.durationMs ??= countOf(event.durationMs);
  tool.end ??= now;
  const result = fieldsOf(event.result);
  if (event.error !== void 0 && event.error !== null && event.error !== "") {
    tool.failed = true;
    tool.error = String(event.error).slice(0, 2048);
  }
  if (result.isError === true) tool.failed = true;
  measure(tool, result.content);
  if (tracker.content.toolOutputs) tool.output ??= contentOf(result.content ?? event.result);
};
var persisted = (tracker, event, context, now) => {
  const turn = currentTurn(tracker, event, context, now);
  if (turn === void 0) return;
  const id = textOf(event.toolCallId) ?? textOf(context.toolCallId);
  const message = fieldsOf(event.message);
  const known = id === void 0 ? void 0 : turn.tools.get(id);
  if (known === void 0 && event.isSynthetic !== true) return;
  const tool = known ?? toolOf(turn, event, context, false);
  tool.end ??= now;
  tool.start ??= now;
  if (typeof event.isSynthetic === "boolean") tool.synthetic = event.isSynthetic;
  if (message.isError === true) tool.failed = true;
  measure(tool, message.content);
  if (tracker.content.toolOutputs) tool.output ??= contentOf(message.content);
};
function toolOf(turn, event, context, begins) {
  const id = textOf(event.toolCallId) ?? textOf(context.toolCallId);
  const name = textOf(event.toolName) ?? textOf(context.toolName) ?? "unknown";
  const key = id ?? `unnamed ${name}`;
  const known = turn.tools.get(key);
  if (known && !(begins && known.end !== void 0)) return known;
  const tool = {
    ...{ name, id, start: void 0, end: void 0, durationMs: void 0, failed: false },
    ...{ error: void 0, synthetic: void 0, resultChars: void 0, resultParts: void 0 },
    ...{ input: void 0, output: void 0 }
  };
  if (known) turn.tools.set(`${key} ${turn.tools.size}`, known);
  turn.tools.set(key, tool);
  return tool;
}
function measure(tool, content) {
  if (tool.resultParts !== void 0 || content === void 0) return;
  const { chars, parts } = sizeOf(content);
  tool.resultChars = chars;
  tool.resultParts = parts;
}
var TOOL_HOOKS = {
  before_tool_call: before,
  after_tool_call: after,
  tool_result_persist: persisted
};

// hooks.ts
var HOOKS = {
  ...MESSAGE_HOOKS,
  ...AGENT_HOOKS,
  ...MODEL_HOOKS,
  ...TOOL_HOOKS,
  ...SESSION_HOOKS
};

// identity.ts
var PLUGIN_ID = "millrace-tracing";
var PLUGIN_NAME = "Millrace tracing";
var PLUGIN_VERSION = "0.1.0";
var BUILT_IN_ID = "diagnostics-otel";

// host.ts
var SINCE = {
  /** Hooks of conversations need permission. */
  permission: 20260423,
  /** Hooks that came later are known, and more of them need permission. */
  newHooks: 20260500,
  /** `before_agent_start` is not known any more. */
  withoutAgentStart: 20260900
};
var NEW_HOOKS = ["agent_turn_prepare", "reply_payload_sending"];
var GATED = ["llm_input", "llm_output", "agent_end"];
var GATED_LATER = ["before_agent_reply", "before_model_resolve", "agent_turn_prepare", "before_prompt_build"];
function hooksFor(all, api) {
  const version = versionOf(api);
  const told = version ?? Number.POSITIVE_INFINITY;
  const isAllowed = seesConversations(api);
  return all.filter((hook) => {
    if (hook === "before_agent_start") return version === void 0 || version < SINCE.withoutAgentStart;
    if (NEW_HOOKS.includes(hook) && told < SINCE.newHooks) return false;
    if (isAllowed) return true;
    return !GATED.includes(hook) && !(GATED_LATER.includes(hook) && told >= SINCE.newHooks);
  });
}
function seesConversations(api) {
  const version = versionOf(api);
  if (version !== void 0 && version < SINCE.permission) return true;
  const { entries } = fieldsOf(fieldsOf(api.config).plugins);
  return fieldsOf(fieldsOf(fieldsOf(entries)[PLUGIN_ID]).hooks).allowConversationAccess === true;
}
function versionOf(api) {
  const found = /^(\d{4})\.(\d{1,2})\.(\d{1,2})/.exec(textOf(fieldsOf(api.runtime).version) ?? "");
  return found ? Number(found[1]) * 1e4 + Number(found[2]) * 100 + Number(found[3]) : void 0;
}

// built-in-exporter.ts
function hasBuiltInExporter(config) {
  const plugins = fieldsOf(fieldsOf(config).plugins);
  if (plugins.enabled === false) return false;
  if (fieldsOf(fieldsOf(plugins.entries)[BUILT_IN_ID]).enabled !== true) return false;
  if (listOf(plugins.deny).includes(BUILT_IN_ID)) return false;
  return !Array.isArray(plugins.allow) || plugins.allow.length === 0 || plugins.allow.includes(BUILT_IN_ID);
}

// endpoint.ts
var SIGNAL_PATH = /\/v1\/(traces|metrics|logs)\/?$/;
function endpointOf(signal, base, own) {
  const written2 = own ?? base;
  if (written2 === void 0) throw new Error("diagnostics.otel.endpoint is not set");
  const url = new URL(written2);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Error(`the endpoint must be an http or https URL, got ${url.protocol}//`);
  }
  if (own === void 0) url.pathname = `${url.pathname.replace(SIGNAL_PATH, "").replace(/\/+$/, "")}/v1/${signal}`;
  return url.href;
}

// settings.ts
var MIN_INTERVAL = 1e3;
var DEFAULT_INTERVAL = 6e4;
function settingsOf(config, switches, complain) {
  const diagnostics = fieldsOf(fieldsOf(config).diagnostics);
  const otel = fieldsOf(diagnostics.otel);
  if (diagnostics.enabled === false) return "diagnostics.enabled is false";
  if (otel.enabled !== true) return "diagnostics.otel.enabled is not true";
  if (otel.protocol === "grpc") return "diagnostics.otel.protocol is grpc, and only http/protobuf is spoken here";
  try {
    const to = (signal, own) => otel[signal] === false ? void 0 : endpointOf(signal, textOf(otel.endpoint), textOf(own));
    const traces = to("traces", otel.tracesEndpoint);
    const metrics = switches.metrics === "never" ? void 0 : to("metrics", otel.metricsEndpoint);
    if (traces === void 0 && metrics === void 0) return "traces and metrics are both off";
    return {
      switches,
      traces,
      metrics,
      turnMetrics: metrics !== void 0 && (switches.metrics === "always" || !hasBuiltInExporter(config)),
      headers: headersOf(fieldsOf(otel.headers), complain),
      serviceName: textOf(otel.serviceName) ?? "openclaw",
      sampleRate: Math.min(countOf(otel.sampleRate) ?? 1, 1),
      metricInterval: Math.max(countOf(otel.flushIntervalMs) ?? DEFAULT_INTERVAL, MIN_INTERVAL),
      content: contentPolicyOf(otel.captureContent),
      metricPrefix: typeof otel.metricNamePrefix === "string" ? otel.metricNamePrefix : `${switches.prefix}.`
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
function headersOf(written2, complain) {
  const headers = {};
  for (const [name, value] of Object.entries(written2)) {
    if (typeof value !== "string") continue;
    try {
      new Headers([[name, value]]);
    } catch {
      complain(`the header ${JSON.stringify(name)} of diagnostics.otel.headers is not valid and is left out`);
      continue;
    }
    if (/\$\{\w+\}/.test(value)) complain(`the header ${JSON.stringify(name)} still names a variable that is not set`);
    headers[name] = value;
  }
  return headers;
}

// switches.ts
import { readFileSync } from "node:fs";
import { join } from "node:path";
var DEFAULT_SWITCHES = {
  prefix: "openclaw",
  hashIdentifiers: true,
  modelCallSpans: true,
  subagentSpans: true,
  lifecycleSpans: false,
  metrics: "auto"
};
function readSwitches(folder, complain) {
  let text;
  try {
    text = readFileSync(join(folder, "settings.json"), "utf8");
  } catch {
    return DEFAULT_SWITCHES;
  }
  try {
    return switchesOf(JSON.parse(text), complain);
  } catch (error) {
    complain(`settings.json cannot be read: ${error instanceof Error ? error.message : error}`);
    return DEFAULT_SWITCHES;
  }
}
function switchesOf(written2, complain) {
  const switches = { ...DEFAULT_SWITCHES };
  for (const [key, value] of Object.entries(fieldsOf(written2))) {
    if (!(key in DEFAULT_SWITCHES)) complain(`settings.json: unknown key ${JSON.stringify(key)}`);
    else if (!isValid(key, value)) complain(`settings.json: ${key} cannot be ${JSON.stringify(value)}`);
    else switches[key] = value;
  }
  return switches;
}
function isValid(key, value) {
  if (key === "prefix") return typeof value === "string" && /^[A-Za-z][A-Za-z0-9_.-]{0,126}[A-Za-z0-9]$/.test(value);
  if (key === "metrics") return value === "auto" || value === "always" || value === "never";
  return typeof value === "boolean";
}

// tracing.ts
import { hostname } from "node:os";

// collector.ts
var RETRYABLE = [429, 502, 503, 504];
function poster(headers) {
  const sent2 = new Headers(headers);
  sent2.set("content-type", "application/x-protobuf");
  return async (url, body, signal) => {
    try {
      const response = await fetch(url, {
        ...{ method: "POST", headers: sent2, redirect: "manual", signal },
        body
      });
      await response.arrayBuffer();
      if (response.ok) return { status: "accepted" };
      const reason = `the collector answered ${response.status || "with a redirect"}`;
      if (!RETRYABLE.includes(response.status)) return { status: "refused", reason };
      return { status: "later", reason, after: secondsOf(response.headers.get("retry-after")) };
    } catch (error) {
      return { status: "later", reason: reasonOf(error) };
    }
  };
}
function secondsOf(header) {
  const seconds = header === null ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 300) * 1e3 : void 0;
}
function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError" || error.name === "AbortError") return "the collector did not answer in time";
  const { cause } = error;
  const { code } = typeof cause === "object" && cause !== null ? cause : {};
  return typeof code === "string" ? code : error.message;
}

// instruments.ts
var TOKEN_BOUNDS = Array.from({ length: 14 }, (_, power) => 4 ** power);
var SECOND_BOUNDS = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);
var MILLISECOND_BOUNDS = [
  10,
  25,
  50,
  100,
  250,
  500,
  1e3,
  2500,
  5e3,
  1e4,
  3e4,
  6e4,
  12e4,
  3e5,
  6e5
];
var INSTRUMENTS = {
  tokens: { unit: "1", description: "Tokens by type" },
  "cost.usd": { unit: "1", description: "Cost of model calls as the gateway estimates it, in US dollars" },
  "run.duration_ms": { unit: "ms", description: "Duration of agent runs", bounds: MILLISECOND_BOUNDS },
  "llm.requests": { unit: "{request}", description: "Model calls" },
  "llm.errors": { unit: "{error}", description: "Model calls that failed" },
  "llm.duration": { unit: "ms", description: "Duration of model calls", bounds: MILLISECOND_BOUNDS },
  "llm.tokens.total": { unit: "{token}", description: "Tokens of prompts and completions" },
  "llm.tokens.prompt": { unit: "{token}", description: "Tokens of prompts, those from a cache among them" },
  "llm.tokens.completion": { unit: "{token}", description: "Tokens of completions" },
  "llm.cost.usd": { unit: "USD", description: "Cost of model calls as the gateway estimates it" },
  "tool.calls": { unit: "{call}", description: "Tool calls" },
  "tool.errors": { unit: "{error}", description: "Tool calls that failed" },
  "tool.duration": { unit: "ms", description: "Duration of tool calls", bounds: MILLISECOND_BOUNDS },
  "agent.turn_duration": { unit: "ms", description: "Duration of agent turns", bounds: MILLISECOND_BOUNDS },
  "session.resets": { unit: "{reset}", description: "Sessions that were reset" },
  "messages.received": { unit: "{message}", description: "Messages that arrived" },
  "messages.sent": { unit: "{message}", description: "Messages that were sent" },
  "gen_ai.client.token.usage": { unit: "{token}", description: "Tokens of a model call", bounds: TOKEN_BOUNDS },
  "gen_ai.client.operation.duration": { unit: "s", description: "Duration of model calls", bounds: SECOND_BOUNDS },
  "tracing.spans": { unit: "{span}", description: "Spans of this plugin that were sent" },
  "tracing.dropped_spans": { unit: "{span}", description: "Spans of this plugin that were dropped, by reason" }
};
var MAX_SERIES = 200;
var Instruments = class {
  #series = /* @__PURE__ */ new Map();
  #start;
  /** `start` is when the sums begin, in milliseconds since 1970. */
  constructor(start) {
    this.#start = start;
  }
  /** Adds to a sum, or records a value of a histogram. */
  record(name, value, attributes) {
    const instrument = INSTRUMENTS[name];
    const series = this.#seriesOf(name, attributes);
    series.sum += value;
    if (instrument.bounds === void 0) return;
    series.count++;
    series.min = Math.min(series.min, value);
    series.max = Math.max(series.max, value);
    let bucket = instrument.bounds.findIndex((bound) => value <= bound);
    if (bucket < 0) bucket = instrument.bounds.length;
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
  }
  /** Everything measured, under the names that begin with `prefix`. */
  collect(prefix) {
    return Array.from(this.#series, ([name, series]) => {
      const { unit, description, bounds } = INSTRUMENTS[name];
      const points = Array.from(series.values(), (each) => ({ ...each }));
      const simple = points.map(({ attributes, start, sum }) => ({ attributes, start, sum }));
      return {
        name: name.startsWith("gen_ai.") ? name : prefix + name,
        ...{ unit, description, bounds, points: bounds === void 0 ? simple : points }
      };
    });
  }
  #seriesOf(name, attributes) {
    const all = this.#series.get(name) ?? /* @__PURE__ */ new Map();
    this.#series.set(name, all);
    const key = JSON.stringify(attributes);
    const known = all.get(key) ?? (all.size < MAX_SERIES ? void 0 : all.get("overflow"));
    if (known) return known;
    const overflows = all.size >= MAX_SERIES;
    const { bounds } = INSTRUMENTS[name];
    const series = {
      attributes: overflows ? { "otel.metric.overflow": true } : attributes,
      ...{ start: this.#start, sum: 0, count: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY },
      buckets: bounds === void 0 ? [] : new Array(bounds.length + 1).fill(0)
    };
    all.set(overflows ? "overflow" : key, series);
    return series;
  }
};

// log.ts
var QUIET = 3e5;
var TroubleLog = class {
  #logger;
  #now;
  #failing = false;
  #told = Number.NEGATIVE_INFINITY;
  #dropped = 0;
  /** `now` gives milliseconds since 1970. */
  constructor(logger, now) {
    this.#logger = logger;
    this.#now = now;
  }
  /** Spans were lost; the next line says how many. */
  lost(spans) {
    this.#dropped += spans;
  }
  /** An attempt to send ended, with the reason if it failed. */
  attempted(url, reason) {
    const failing = reason !== void 0;
    if (failing === this.#failing || this.#now() - this.#told < QUIET) return;
    this.#failing = failing;
    this.#told = this.#now();
    if (failing)
      this.#logger().warn?.(`Spans cannot be sent to ${url}: ${reason}; they wait, and are dropped when too many`);
    else this.#logger().info?.(`Spans are sent to ${url} again; ${this.#dropped} were dropped`);
    if (!failing) this.#dropped = 0;
  }
};

// measure.ts
var Measure = class {
  #instruments;
  #prefix;
  /** `prefix` begins the keys of attributes: `openclaw`. */
  constructor(instruments, prefix) {
    this.#instruments = instruments;
    this.#prefix = prefix;
  }
  /** A message that arrived or was sent, or a session that was reset. */
  count(what, by, channel) {
    if (by > 0) this.#instruments.record(what, by, { [`${this.#prefix}.channel`]: channel ?? "unknown" });
  }
  /** A tool call of `milliseconds`. */
  tool(tool, milliseconds) {
    const attributes = { [`${this.#prefix}.tool.name`]: tool.name };
    this.#instruments.record("tool.calls", 1, attributes);
    if (tool.failed) this.#instruments.record("tool.errors", 1, attributes);
    this.#instruments.record("tool.duration", milliseconds, attributes);
  }
  /** A model call of `milliseconds`. */
  call(turn, call, milliseconds) {
    const [provider, model] = [call.provider ?? turn.provider ?? "unknown", call.model ?? turn.model ?? "unknown"];
    const attributes = { [`${this.#prefix}.provider`]: provider, [`${this.#prefix}.model`]: model };
    const common = { "gen_ai.operation.name": "chat", "gen_ai.provider.name": provider, "gen_ai.request.model": model };
    this.#instruments.record("llm.requests", 1, attributes);
    if (call.error !== void 0) this.#instruments.record("llm.errors", 1, attributes);
    this.#instruments.record("llm.duration", milliseconds, attributes);
    const failed = call.error === void 0 ? common : { ...common, "error.type": call.error };
    this.#instruments.record("gen_ai.client.operation.duration", milliseconds / 1e3, failed);
    if (call.usage === void 0) return;
    const { output: output2 } = call.usage;
    const tokens2 = "gen_ai.client.token.usage";
    this.#instruments.record(tokens2, promptTokens(call.usage), { ...common, "gen_ai.token.type": "input" });
    this.#instruments.record(tokens2, output2, { ...common, "gen_ai.token.type": "output" });
  }
  /** A turn of `milliseconds`, with what it used in all. */
  turn(turn, usage, milliseconds) {
    const key = (name) => `${this.#prefix}.${name}`;
    const attributes = {
      [key("channel")]: turn.request.channel ?? "unknown",
      [key("agent")]: turn.agentId ?? "unknown",
      [key("provider")]: turn.provider ?? "unknown",
      [key("model")]: turn.model ?? "unknown"
    };
    const outcome = { [key("outcome")]: turn.success === false ? "error" : "completed" };
    this.#instruments.record("agent.turn_duration", milliseconds, attributes);
    this.#instruments.record("run.duration_ms", turn.durationMs ?? milliseconds, { ...attributes, ...outcome });
    if (usage === void 0) return;
    const { input: input2, output: output2, cacheRead, cacheWrite } = usage;
    for (const [type, count] of Object.entries({ input: input2, output: output2, cache_read: cacheRead, cache_write: cacheWrite })) {
      if (count > 0) this.#instruments.record("tokens", count, { ...attributes, [key("token")]: type });
    }
    this.#instruments.record("llm.tokens.prompt", promptTokens(usage), attributes);
    this.#instruments.record("llm.tokens.completion", output2, attributes);
    this.#instruments.record("llm.tokens.total", promptTokens(usage) + output2, attributes);
    if (usage.cost === void 0) return;
    this.#instruments.record("cost.usd", usage.cost, attributes);
    this.#instruments.record("llm.cost.usd", usage.cost, attributes);
  }
  /** A request as it is exported: replies that left since. */
  request(request) {
    this.count("messages.sent", Math.max(request.sending, request.sent), request.channel);
    request.sending = 0;
    request.sent = 0;
  }
};
function totalOf(turn) {
  const summed = turn.usage ?? turn.spent;
  if (summed === void 0) return turn.cost === void 0 ? void 0 : { ...NOTHING, cost: turn.cost };
  return { ...summed, cost: turn.cost ?? summed.cost ?? turn.spent?.cost };
}
var NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: void 0 };

// protobuf.ts
var ProtobufWriter = class _ProtobufWriter {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;
  /** What was written so far. The bytes stay as they are when more is written. */
  finish() {
    return Uint8Array.prototype.slice.call(this.#bytes, 0, this.#length);
  }
  /** An unsigned varint: `uint32`, `bool`, an enum, or an `int64` that is not negative and below 2^53. */
  varint(field, value) {
    this.#varint(field * 8);
    this.#varint(value);
    return this;
  }
  /** An unsigned `fixed64`. */
  fixed64(field, value) {
    this.#varint(field * 8 + 1);
    return this.rawFixed64(value);
  }
  /** A `fixed64` without its field, for packed lists. */
  rawFixed64(value) {
    this.#reserve(8);
    this.#length = this.#bytes.writeBigUInt64LE(value, this.#length);
    return this;
  }
  /** A `double`. */
  double(field, value) {
    this.#varint(field * 8 + 1);
    return this.rawDouble(value);
  }
  /** A `double` without its field, for packed lists. */
  rawDouble(value) {
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
    return this;
  }
  /** A `string`, written as UTF-8; halves of a character become U+FFFD. */
  string(field, value) {
    this.#varint(field * 8 + 2);
    const size = Buffer.byteLength(value);
    this.#varint(size);
    this.#reserve(size);
    this.#length += this.#bytes.write(value, this.#length);
    return this;
  }
  /** `bytes`, or a message that is written already. */
  bytes(field, value) {
    this.#varint(field * 8 + 2);
    this.#varint(value.length);
    return this.raw(value);
  }
  /** Fields that are written already. */
  raw(value) {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
    return this;
  }
  /** A message within this one. */
  message(field, write) {
    const inner = new _ProtobufWriter();
    write(inner);
    return this.bytes(field, inner.#bytes.subarray(0, inner.#length));
  }
  #varint(value) {
    this.#reserve(10);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = rest % 128 + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }
  #reserve(size) {
    if (this.#length + size <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + size));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
};

// otlp-common.ts
function writeAttributes(out, field, attributes) {
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== void 0) out.message(field, (pair) => pair.string(1, key).message(2, (any) => writeValue(any, value)));
  }
}
function requestOf2(resource, content) {
  const request = new ProtobufWriter().message(1, (perResource) => {
    perResource.message(1, (out) => writeAttributes(out, 1, resource));
    perResource.message(2, (perScope) => {
      perScope.message(1, (scope) => scope.string(1, PLUGIN_ID).string(2, PLUGIN_VERSION));
      for (const item of content) perScope.bytes(2, item);
    });
  });
  return request.finish();
}
function nanos(milliseconds) {
  const micros = Math.min(Math.max(Math.round(milliseconds * 1e3) || 0, 0), Number.MAX_SAFE_INTEGER);
  return BigInt(micros) * 1000n;
}
function writeValue(out, value) {
  if (typeof value === "string") out.string(1, value);
  else if (typeof value === "boolean") out.varint(2, value ? 1 : 0);
  else if (typeof value === "number") {
    if (Number.isSafeInteger(value) && value >= 0) out.varint(3, value);
    else out.double(4, value);
  } else out.message(5, (list) => value.forEach((item) => void list.message(1, (each) => writeValue(each, item))));
}

// otlp-metrics.ts
function encodeMetric(metric, now) {
  const out = new ProtobufWriter().string(1, metric.name).string(2, metric.description).string(3, metric.unit);
  const { bounds, points } = metric;
  if (bounds === void 0) {
    out.message(7, (sum) => {
      for (const point of points) sum.message(1, (each) => writeNumber(each, point, now));
      sum.varint(2, CUMULATIVE).varint(3, 1);
    });
  } else {
    out.message(9, (histogram) => {
      for (const point of points) histogram.message(1, (each) => writeHistogram(each, point, bounds, now));
      histogram.varint(2, CUMULATIVE);
    });
  }
  return out.finish();
}
var CUMULATIVE = 2;
function writeNumber(out, point, now) {
  out.fixed64(2, nanos(point.start)).fixed64(3, nanos(now)).double(4, point.sum);
  writeAttributes(out, 7, point.attributes);
}
function writeHistogram(out, point, bounds, now) {
  if (!("buckets" in point)) return;
  out.fixed64(2, nanos(point.start)).fixed64(3, nanos(now));
  out.fixed64(4, BigInt(point.count)).double(5, point.sum);
  const counts = new ProtobufWriter();
  for (const count of point.buckets) counts.rawFixed64(BigInt(count));
  out.bytes(6, counts.finish());
  const limits = new ProtobufWriter();
  for (const bound of bounds) limits.rawDouble(bound);
  out.bytes(7, limits.finish());
  writeAttributes(out, 9, point.attributes);
  out.double(11, point.min).double(12, point.max);
}

// otlp-traces.ts
function encodeSpan(span) {
  const out = new ProtobufWriter();
  out.bytes(1, Buffer.from(span.traceId, "hex")).bytes(2, Buffer.from(span.spanId, "hex"));
  if (span.parentSpanId !== void 0) out.bytes(4, Buffer.from(span.parentSpanId, "hex"));
  out.string(5, span.name).varint(6, span.kind);
  out.fixed64(7, nanos(span.start)).fixed64(8, nanos(span.end));
  writeAttributes(out, 9, span.attributes);
  const { link, error } = span;
  if (link) {
    out.message(13, (to) => to.bytes(1, Buffer.from(link.traceId, "hex")).bytes(2, Buffer.from(link.spanId, "hex")));
  }
  if (error !== void 0) out.message(15, (status) => status.string(2, error).varint(3, STATUS_ERROR));
  return out.finish();
}
var STATUS_ERROR = 2;

// outbox.ts
var OUTBOX = {
  spans: 2048,
  bytes: 4 * 1024 * 1024,
  batch: 512,
  batchBytes: 1024 * 1024,
  timeout: 1e4,
  firstPause: 1e3,
  longestPause: 6e4
};
var Outbox = class {
  #io;
  #delay;
  #waiting = [];
  #bytes = 0;
  #cancel;
  #sending;
  #inFlight = new AbortController();
  #notBefore = 0;
  #pause = 0;
  /** A span waits `delay` milliseconds at most for others to be sent with it. */
  constructor(io, delay) {
    this.#io = io;
    this.#delay = delay;
  }
  /** How many spans wait. */
  get size() {
    return this.#waiting.length;
  }
  /** Whether another span would be dropped, so that it need not be encoded. */
  get isFull() {
    return this.#waiting.length >= OUTBOX.spans || this.#bytes >= OUTBOX.bytes;
  }
  /** Counts a span for which there is no room. */
  drop() {
    this.#io.dropped(1, "full");
  }
  /** Takes an encoded span, or drops it where there is no room. */
  add(span) {
    if (this.isFull) {
      this.drop();
      return;
    }
    this.#waiting.push(span);
    this.#bytes += span.length;
    if (this.#waiting.length >= OUTBOX.batch) this.#schedule(0);
    else this.#schedule(this.#delay);
  }
  /** Sends everything, for `milliseconds` at most. What is left then is dropped. */
  async flush(milliseconds) {
    const deadline = AbortSignal.timeout(milliseconds);
    const inFlight = this.#inFlight;
    deadline.addEventListener("abort", () => inFlight.abort(), { once: true });
    while (this.#sending !== void 0) await this.#sending;
    this.#cancel?.();
    this.#cancel = void 0;
    await this.#start(this.#empty(deadline));
  }
  async #empty(deadline) {
    while (this.#waiting.length > 0 && !deadline.aborted) {
      if (await this.#sendOne(deadline) !== "accepted") break;
    }
    if (this.#waiting.length > 0) this.#io.dropped(this.#waiting.length, "stopped");
    this.#waiting = [];
    this.#bytes = 0;
  }
  #schedule(delay) {
    if (this.#sending !== void 0) return;
    if (this.#cancel !== void 0 && delay > 0) return;
    this.#cancel?.();
    const wait = Math.max(delay, this.#notBefore - this.#io.now());
    this.#cancel = this.#io.later(() => {
      this.#cancel = void 0;
      void this.#start(this.#drain());
    }, wait);
  }
  /** Only one sends at a time. */
  #start(sending2) {
    this.#sending = sending2.catch(() => {
    }).then(() => {
      this.#sending = void 0;
      if (this.#waiting.length > 0) this.#schedule(this.#delay);
    });
    return this.#sending;
  }
  async #drain() {
    while (this.#waiting.length > 0) {
      this.#inFlight = new AbortController();
      const signal = AbortSignal.any([this.#inFlight.signal, AbortSignal.timeout(OUTBOX.timeout)]);
      if (await this.#sendOne(signal) === "later") return;
    }
  }
  async #sendOne(signal) {
    const batch = this.#nextBatch();
    const outcome = await this.#io.send(batch, signal);
    this.#io.attempted(outcome.status === "accepted" ? void 0 : outcome.reason);
    if (outcome.status === "later") {
      this.#pause = Math.min(Math.max(this.#pause * 2, OUTBOX.firstPause), OUTBOX.longestPause);
      this.#notBefore = this.#io.now() + Math.max(this.#pause, outcome.after ?? 0);
      return "later";
    }
    this.#pause = 0;
    this.#remove(batch);
    if (outcome.status === "accepted") this.#io.sent(batch.length);
    else this.#io.dropped(batch.length, "refused");
    return outcome.status;
  }
  #nextBatch() {
    let size = 0;
    let count = 0;
    for (const span of this.#waiting) {
      if (count > 0 && (count >= OUTBOX.batch || size + span.length > OUTBOX.batchBytes)) break;
      size += span.length;
      count++;
    }
    return this.#waiting.slice(0, count);
  }
  #remove(batch) {
    this.#waiting.splice(0, batch.length);
    for (const span of batch) this.#bytes -= span.length;
  }
};

// settle.ts
var MAX_USED = 1e3;
function settle(request) {
  if (request.used.size > 0) return;
  request.traceId ??= newTraceId();
  request.rootId = claim(request, request.rootId);
}
function settleTurn(turn) {
  if (turn.settled) return;
  turn.settled = true;
  settle(turn.request);
  turn.spanId = claim(turn.request, turn.spanId);
}
function settleSubagent(subagent) {
  subagent.spanId ??= newSpanId();
  return subagent.spanId;
}
function claim(request, wanted) {
  const isFree = wanted !== void 0 && !request.used.has(wanted) && request.used.size < MAX_USED;
  const id = isFree ? wanted : newSpanId();
  if (request.used.size < MAX_USED) request.used.add(id);
  return id;
}

// span.ts
var KIND = { internal: 1, server: 2, client: 3 };

// span-attributes.ts
function requestSpan(request, times, { switches, content }) {
  const { prefix: p, hashIdentifiers } = switches;
  const shown = (id) => id === void 0 || !hashIdentifiers ? id : hashed(id);
  const failed = request.sendError || request.turns.some((turn) => turn.success === false);
  return {
    name: `${p}.request`,
    kind: KIND.server,
    error: failed ? "The request failed" : void 0,
    attributes: {
      [`${p}.session.key`]: shown(request.sessionKey),
      [`${p}.message.channel`]: request.channel,
      [`${p}.message.from`]: shown(request.sender),
      [`${p}.message.direction`]: request.messageId === void 0 ? void 0 : "inbound",
      [`${p}.request.duration_ms`]: times.end - times.start,
      [`${p}.incomplete`]: isIncomplete(request) || void 0,
      "gen_ai.conversation.id": request.sessionId ?? shown(request.sessionKey),
      "gen_ai.input.messages": content.inputMessages ? messagesOf("user", [request.content]) : void 0
    }
  };
}
function turnSpan(turn, times, { switches: { prefix: p }, content }, total, callsTell) {
  const type = turn.success === false ? errorType(turn.error) : void 0;
  return {
    name: `${p}.agent.turn`,
    kind: KIND.internal,
    error: type === void 0 ? void 0 : "The turn failed",
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.id": turn.agentId,
      "gen_ai.conversation.id": turn.request.sessionId,
      "gen_ai.provider.name": turn.provider,
      "gen_ai.request.model": turn.model,
      "gen_ai.response.model": turn.model,
      "error.type": type,
      [`${p}.agent.id`]: turn.agentId,
      [`${p}.agent.model`]: turn.model,
      [`${p}.agent.duration_ms`]: turn.durationMs ?? times.end - times.start,
      [`${p}.agent.success`]: turn.success,
      [`${p}.agent.error`]: content.outputMessages ? turn.error : type,
      [`${p}.run.id`]: turn.runId,
      [`${p}.trigger`]: turn.trigger,
      [`${p}.harness.id`]: turn.harness,
      [`${p}.llm.cost_usd`]: total?.cost,
      [`${p}.tokens.input`]: total?.input,
      [`${p}.tokens.output`]: total?.output,
      [`${p}.tokens.cache_read`]: total?.cacheRead,
      [`${p}.tokens.cache_write`]: total?.cacheWrite,
      [`${p}.context.limit`]: turn.contextLimit,
      [`${p}.context.used`]: turn.contextUsed,
      ...callsTell ? {} : tokens(total),
      "gen_ai.input.messages": turn.inputMessages,
      "gen_ai.output.messages": turn.outputMessages,
      "gen_ai.system_instructions": turn.systemPrompt
    }
  };
}
function callSpan(turn, call, { switches: { prefix: p } }) {
  const model = call.model ?? turn.model;
  return {
    name: model === void 0 ? "chat" : `chat ${model}`,
    kind: KIND.client,
    error: call.error === void 0 ? void 0 : "The model call failed",
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": call.provider ?? turn.provider,
      "gen_ai.request.model": model,
      "gen_ai.response.model": model,
      "gen_ai.response.id": call.responseId,
      "gen_ai.response.finish_reasons": call.stopReason === void 0 ? void 0 : [call.stopReason],
      "error.type": call.error,
      ...tokens(call.usage),
      [`${p}.api`]: call.api,
      [`${p}.transport`]: call.transport,
      [`${p}.model_call.duration_ms`]: call.durationMs,
      [`${p}.model_call.request_bytes`]: call.requestBytes,
      [`${p}.model_call.response_bytes`]: call.responseBytes,
      [`${p}.model_call.time_to_first_byte_ms`]: call.timeToFirstByteMs,
      [`${p}.incomplete`]: call.end === void 0 || void 0
    }
  };
}
function toolSpan(tool, times, { switches: { prefix: p }, content }) {
  const type = tool.failed ? errorType(tool.error) : void 0;
  return {
    name: `tool.${tool.name}`,
    kind: KIND.internal,
    error: type === void 0 ? void 0 : "The tool failed",
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool.name,
      "gen_ai.tool.call.id": tool.id,
      "error.type": type,
      [`${p}.tool.name`]: tool.name,
      [`${p}.tool.call_id`]: tool.id,
      [`${p}.tool.duration_ms`]: tool.durationMs ?? times.end - times.start,
      [`${p}.tool.is_synthetic`]: tool.synthetic,
      [`${p}.tool.result_chars`]: tool.resultChars,
      [`${p}.tool.result_parts`]: tool.resultParts,
      [`${p}.tool.error`]: content.toolOutputs ? tool.error : void 0,
      [`${p}.incomplete`]: tool.end === void 0 || void 0,
      "gen_ai.tool.call.arguments": tool.input,
      "gen_ai.tool.call.result": tool.output
    }
  };
}
function subagentSpan(subagent, { switches }) {
  const { prefix: p, hashIdentifiers } = switches;
  const failed = subagent.outcome === "error" || subagent.outcome === "timeout";
  return {
    name: `${p}.subagent`,
    kind: KIND.internal,
    error: failed ? "The subagent failed" : void 0,
    attributes: {
      "gen_ai.agent.id": subagent.agentId,
      "gen_ai.request.model": subagent.model,
      [`${p}.session.key`]: hashIdentifiers ? hashed(subagent.sessionKey) : subagent.sessionKey,
      [`${p}.subagent.outcome`]: subagent.outcome
    }
  };
}
function errorType(message) {
  return /^(?:[A-Z][A-Za-z]*(?:Error|Exception)|E[A-Z]{3,}|[45]\d\d)\b/.exec(message ?? "")?.[0] ?? "error";
}
function tokens(usage) {
  if (usage === void 0) return {};
  return {
    "gen_ai.usage.input_tokens": promptTokens(usage),
    "gen_ai.usage.output_tokens": usage.output,
    "gen_ai.usage.cache_read.input_tokens": usage.cacheRead || void 0,
    "gen_ai.usage.cache_creation.input_tokens": usage.cacheWrite || void 0
  };
}
function isIncomplete(request) {
  return request.turns.some((turn) => turn.end === void 0 && !turn.answered);
}

// render.ts
var Renderer = class {
  #settings;
  #measure;
  #emit;
  /** Spans of what is being rendered, parents after their children. */
  #made = [];
  /** Without a measure nothing is measured. `emit` gets every span that is to leave. */
  constructor(settings, measure2, emit) {
    this.#settings = settings;
    this.#measure = measure2;
    this.#emit = emit;
  }
  /** Exports a part of a request. What is exported is forgotten, but for the ids that later spans hang on. */
  render(request, part) {
    settle(request);
    for (const turn of request.turns) this.#turn(turn, part);
    if (part === "all") this.#finish(request);
    const made = this.#made;
    this.#made = [];
    for (const span of made.reverse()) this.#emit(span);
  }
  #finish(request) {
    if (!request.exported) this.#request(request);
    this.#measure?.request(request);
    request.turns.length = 0;
    request.content = void 0;
  }
  #request(request) {
    request.exported = true;
    const start = Math.min(request.start, ...request.turns.map((turn) => turn.start));
    const frame = {
      ...{ spanId: request.rootId, parentSpanId: request.parentId, start, end: Math.max(request.last, start) }
    };
    this.#span(request, frame, { ...requestSpan(request, frame, this.#settings), link: this.#cause(request) });
  }
  /** What started the request, where that was a subagent's parent in another trace. */
  #cause(request) {
    const cause = request.turns.find((turn) => turn.cause !== void 0)?.cause;
    if (cause === void 0 || cause.turn.request === request) return void 0;
    settleTurn(cause.turn);
    const { subagentSpans } = this.#settings.switches;
    const spanId = subagentSpans ? settleSubagent(cause.subagent) : cause.turn.spanId;
    return { traceId: cause.turn.request.traceId, spanId };
  }
  #turn(turn, part) {
    settleTurn(turn);
    const { request } = turn;
    const until = turn.end ?? request.last;
    for (const [key, call] of turn.calls) {
      if (part === "ended" && call.end === void 0) continue;
      turn.calls.delete(key);
      this.#call(turn, call, until);
    }
    for (const [key, tool] of turn.tools) {
      if (part === "ended" && tool.end === void 0) continue;
      turn.tools.delete(key);
      this.#tool(turn, tool, until);
    }
    for (const [key, subagent] of turn.subagents) {
      if (part === "ended" && subagent.end === void 0) continue;
      turn.subagents.delete(key);
      this.#subagent(turn, subagent, until);
    }
    if (part !== "all" || turn.exported) return;
    turn.exported = true;
    const frame = {
      ...{ spanId: turn.spanId, parentSpanId: parentOf(turn, this.#settings), start: turn.start },
      end: Math.max(until, turn.start)
    };
    const total = totalOf(turn);
    this.#measure?.turn(turn, total, frame.end - frame.start);
    const callsTell = turn.callsTell && this.#settings.switches.modelCallSpans;
    this.#span(request, frame, turnSpan(turn, frame, this.#settings, total, callsTell));
    turn.inputMessages = void 0;
    turn.outputMessages = void 0;
    turn.systemPrompt = void 0;
  }
  #call(turn, call, until) {
    const times = timesOf(call, until);
    turn.start = Math.min(turn.start, times.start);
    this.#measure?.call(turn, call, call.durationMs ?? times.end - times.start);
    if (!this.#settings.switches.modelCallSpans) return;
    const frame = { ...times, spanId: claim(turn.request, call.spanId), parentSpanId: turn.spanId };
    this.#span(turn.request, frame, callSpan(turn, call, this.#settings));
  }
  #tool(turn, tool, until) {
    const times = timesOf(tool, until);
    turn.start = Math.min(turn.start, times.start);
    this.#measure?.tool(tool, tool.durationMs ?? times.end - times.start);
    const frame = { ...times, spanId: newSpanId(), parentSpanId: turn.spanId };
    this.#span(turn.request, frame, toolSpan(tool, times, this.#settings));
  }
  #subagent(turn, subagent, until) {
    subagent.exported = true;
    if (!this.#settings.switches.subagentSpans) return;
    const frame = { ...timesOf(subagent, until), spanId: settleSubagent(subagent), parentSpanId: turn.spanId };
    this.#span(turn.request, frame, subagentSpan(subagent, this.#settings));
  }
  #span(request, frame, rest) {
    const traceId = request.traceId;
    if (isSampled(traceId, this.#settings.sampleRate)) this.#made.push({ traceId, ...frame, ...rest });
  }
};
function parentOf(turn, settings) {
  const { request, cause } = turn;
  if (cause === void 0 || cause.turn.request !== request) return request.rootId;
  return settings.switches.subagentSpans ? settleSubagent(cause.subagent) : cause.turn.spanId;
}
function timesOf(timed, until) {
  const { start, end: end2, durationMs } = timed;
  if (start === void 0) return { start: (end2 ?? until) - (durationMs ?? 0), end: end2 ?? until };
  const heard2 = Math.max(end2 ?? until, start);
  return { start, end: end2 === void 0 || durationMs === void 0 ? heard2 : Math.min(heard2, start + durationMs) };
}

// request.ts
function newRequest(now) {
  return {
    ...{ traceId: void 0, rootId: void 0, parentId: void 0, start: now, last: now },
    ...{ sessionKey: void 0, sessionId: void 0, channel: void 0, sender: void 0, messageId: void 0 },
    ...{ content: void 0, sending: 0, sent: 0, sendError: false, turns: [], exported: false, open: true },
    used: /* @__PURE__ */ new Set()
  };
}
function newTurn(runId, request, now) {
  return {
    ...{ runId, request, spanId: void 0, settled: false, exported: false, start: now },
    ...{ prepared: false, end: void 0, cause: void 0 },
    ...{ answered: false, success: void 0, error: void 0, durationMs: void 0, agentId: void 0 },
    ...{ provider: void 0, model: void 0, trigger: void 0, harness: void 0, usage: void 0 },
    ...{ spent: void 0, callsTell: false, cost: void 0, contextLimit: void 0, contextUsed: void 0 },
    ...{ inputMessages: void 0, outputMessages: void 0, systemPrompt: void 0 },
    ...{ calls: /* @__PURE__ */ new Map(), tools: /* @__PURE__ */ new Map(), subagents: /* @__PURE__ */ new Map() }
  };
}

// requests.ts
var LIMITS = {
  /** Requests that wait to be exported; the oldest of more are closed soon, and of twice as many at once. */
  open: 1e3,
  /** Requests that are closed in one go, so that the gateway gets its turn in between. */
  atOnce: 20,
  /** Runs, traces and sessions that later hooks may name, exported ones among them. */
  known: 2e3,
  /** Turns of a request, and ended calls of a turn, before some are exported ahead of the rest. */
  ahead: 64,
  /** Calls of a turn that are remembered at most, ended or not. */
  calls: 256,
  /** After the end of a turn, for the reply and the last numbers. */
  grace: 2e3,
  /** After what looks like a last answer, where the gateway does not tell the end. */
  quiet: 1e4,
  /** For anything else. */
  idle: 3e5,
  /** While a model or a tool works. */
  busy: 36e5
};
var Requests = class {
  /** Requests that wait to be exported, oldest first. */
  #open = /* @__PURE__ */ new Set();
  #runs = /* @__PURE__ */ new Map();
  #traces = /* @__PURE__ */ new Map();
  /** The turn that a session is in. */
  #sessions = /* @__PURE__ */ new Map();
  /** Messages of a session that no run has taken up. */
  #waiting = /* @__PURE__ */ new Map();
  /** What started a session, where that was a turn. */
  #causes = /* @__PURE__ */ new Map();
  #export;
  /** `onExport` gets what is to be exported: everything when a request closes, or what has ended of one that goes on. */
  constructor(onExport) {
    this.#export = onExport;
  }
  /** How many requests wait to be exported. */
  get size() {
    return this.#open.size;
  }
  /** How much is remembered in all: what must stay bounded. */
  get remembered() {
    return this.#open.size + this.#runs.size + this.#traces.size + this.#sessions.size + this.#waiting.size + this.#causes.size;
  }
  /** A request for a message that arrived, or the one there is when the same message is told again. */
  receive(sessionKey, messageId, now) {
    const queue = sessionKey === void 0 ? [] : this.#waiting.get(sessionKey) ?? [];
    const told = messageId === void 0 ? void 0 : queue.find((each) => each.messageId === messageId);
    if (told) return told;
    const request = this.#add(now);
    request.sessionKey = sessionKey;
    request.messageId = messageId;
    if (sessionKey !== void 0) {
      queue.push(request);
      this.#waiting.set(sessionKey, queue);
    }
    return request;
  }
  /** The turn of a run, if there is one. */
  run(runId) {
    return this.#runs.get(runId);
  }
  /** The turn that a session is in, if it is in one. */
  session(sessionKey) {
    return this.#sessions.get(sessionKey);
  }
  /** The first message of a session that no run has taken up. */
  waiting(sessionKey) {
    return this.#waiting.get(sessionKey)?.[0];
  }
  /** A turn for a run not heard of before, in the request that it belongs to. */
  begin(runId, at, now) {
    const request = (at.traceId === void 0 ? void 0 : this.#traces.get(at.traceId)) ?? (at.takesMessage && at.sessionKey !== void 0 ? this.#take(at.sessionKey, runId) : void 0) ?? this.#add(now);
    if (request.turns.length >= LIMITS.ahead) this.#settle(request);
    const turn = newTurn(runId, request, now);
    turn.cause = at.sessionKey === void 0 ? void 0 : this.#causes.get(at.sessionKey);
    this.#remember(this.#runs, runId, turn);
    if (at.sessionKey !== void 0) {
      request.sessionKey ??= at.sessionKey;
      this.#remember(this.#sessions, at.sessionKey, turn);
    }
    this.touchTurn(turn, now);
    return turn;
  }
  /** Something was heard of a turn, which may have got a call more. */
  touchTurn(turn, now) {
    const { request } = turn;
    this.touch(request, now);
    if (!request.turns.includes(turn)) request.turns.push(turn);
    if (callsOf(turn) <= LIMITS.ahead) return;
    if (callsOf(turn) % LIMITS.ahead === 1) this.#export(request, "ended");
    if (callsOf(turn) > LIMITS.calls) this.#export(request, "calls");
  }
  /** A subagent is going to work in a session: turns of that session have this cause. */
  expect(sessionKey, cause) {
    this.#remember(this.#causes, sessionKey, cause);
  }
  /** What started a session. */
  causeOf(sessionKey) {
    return this.#causes.get(sessionKey);
  }
  /** Settles the trace of a request, once. A trace that another request has already stays with that one. */
  trace(request, traceId) {
    if (request.traceId !== void 0 || this.#traces.has(traceId)) return;
    request.traceId = traceId;
    this.#remember(this.#traces, traceId, request);
  }
  /** Something was heard of a request. One that was exported waits again, for what is new. */
  touch(request, now) {
    if (now > request.last) request.last = now;
    if (request.open) return;
    request.open = true;
    this.#admit(request);
  }
  /** Closes some of what nothing more is to be expected of, and says whether that was all. */
  sweep(now) {
    let left = LIMITS.atOnce;
    for (const request of this.#open) {
      if (this.#open.size <= LIMITS.open && now < request.last + patience(request)) continue;
      if (left-- === 0) return false;
      this.#settle(request);
    }
    return true;
  }
  /** Closes everything. */
  closeAll() {
    for (const request of this.#open) this.#settle(request);
  }
  #add(now) {
    const request = newRequest(now);
    this.#admit(request);
    return request;
  }
  #admit(request) {
    this.#open.add(request);
    if (this.#open.size > LIMITS.open * 2) this.#settle(this.#open.values().next().value);
  }
  #take(sessionKey, runId) {
    const queue = this.#waiting.get(sessionKey);
    if (queue === void 0) return void 0;
    const own = queue.findIndex((each) => each.messageId === runId);
    const [request] = queue.splice(Math.max(own, 0), 1);
    if (queue.length === 0) this.#waiting.delete(sessionKey);
    return request;
  }
  #settle(request) {
    this.#open.delete(request);
    request.open = false;
    const { sessionKey } = request;
    const queue = sessionKey === void 0 ? void 0 : this.#waiting.get(sessionKey);
    if (queue?.includes(request)) {
      queue.splice(queue.indexOf(request), 1);
      if (queue.length === 0) this.#waiting.delete(sessionKey);
    }
    this.#export(request, "all");
  }
  #remember(map, key, value) {
    map.delete(key);
    map.set(key, value);
    if (map.size > LIMITS.known) map.delete(map.keys().next().value);
  }
};
function patience(request) {
  if (request.turns.length === 0)
    return request.exported || request.sending + request.sent > 0 ? LIMITS.grace : LIMITS.idle;
  let longest = LIMITS.grace;
  for (const turn of request.turns) longest = Math.max(longest, patienceWith(turn));
  return longest;
}
function patienceWith(turn) {
  if (turn.end !== void 0 || turn.exported) return LIMITS.grace;
  if (isBusy(turn)) return LIMITS.busy;
  return turn.answered ? LIMITS.quiet : LIMITS.idle;
}
function callsOf(turn) {
  return turn.calls.size + turn.tools.size + turn.subagents.size;
}
function isBusy(turn) {
  for (const call of turn.calls.values()) if (call.end === void 0) return true;
  for (const tool of turn.tools.values()) if (tool.end === void 0) return true;
  for (const subagent of turn.subagents.values()) if (subagent.end === void 0) return true;
  return false;
}

// tracing.ts
var SWEEP = 1e3;
var DELAY = 1e3;
var STOP = { spans: 2e3, metrics: 1e3 };
var METRICS = 1e4;
var REAL_WORLD = {
  now: () => Date.now(),
  later(task, milliseconds) {
    const timer = setTimeout(() => {
      try {
        task();
      } catch {
      }
    }, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
  poster
};
var Tracing = class {
  requests;
  #world;
  #settings;
  #instruments;
  #measure;
  #outbox;
  #resource;
  #post;
  #cancelSweep;
  #cancelMetrics;
  #stopping;
  #logger = {};
  constructor(settings, world = REAL_WORLD) {
    this.#settings = settings;
    this.#world = world;
    this.#post = world.poster(settings.headers);
    this.#resource = { "service.name": settings.serviceName, "host.name": hostname(), "process.pid": process.pid };
    this.#instruments = new Instruments(world.now());
    this.#measure = settings.turnMetrics ? new Measure(this.#instruments, settings.switches.prefix) : void 0;
    const trouble = new TroubleLog(() => this.#logger, world.now);
    const { traces } = settings;
    this.#outbox = new Outbox(
      {
        send: (spans, signal) => this.#post(traces, requestOf2(this.#resource, spans), signal),
        later: world.later,
        now: world.now,
        sent: (spans) => this.#instruments.record("tracing.spans", spans, {}),
        dropped: (spans, reason) => {
          trouble.lost(spans);
          this.#instruments.record("tracing.dropped_spans", spans, { reason });
        },
        attempted: (reason) => trouble.attempted(traces, reason)
      },
      DELAY
    );
    const emit = (span) => this.#emit(span);
    const renderer = new Renderer(settings, this.#measure, emit);
    this.requests = new Requests((request, part) => renderer.render(request, part));
  }
  /** Which texts are kept. */
  get content() {
    return this.#settings.content;
  }
  /** Where lines for the log go from now on. */
  set logger(logger) {
    this.#logger = logger;
  }
  /** How many finished spans wait to be sent. */
  get waiting() {
    return this.#outbox.size;
  }
  /** Takes a hook of the gateway. It returns nothing and throws nothing, whatever it is given. */
  hook(name, event, context) {
    try {
      this.#take(name, fieldsOf(event), fieldsOf(context));
    } catch {
    }
  }
  count(what, channel) {
    this.#measure?.count(what, 1, channel);
  }
  lifecycle(name, start, end2) {
    const { switches } = this.#settings;
    if (!switches.lifecycleSpans) return;
    this.#emit({
      ...{ traceId: newTraceId(), spanId: newSpanId(), name: `${switches.prefix}.${name}`, kind: KIND.internal },
      ...{ start, end: Math.max(start, end2), attributes: {} }
    });
  }
  /** Ends what is open and sends what waits, in three seconds at most. Hooks that come later are taken as before. */
  stop() {
    this.#stopping ??= this.#stop().catch(() => {
    }).then(() => {
      this.#stopping = void 0;
    });
    return this.#stopping;
  }
  async #stop() {
    this.#cancelSweep?.();
    this.#cancelMetrics?.();
    this.#cancelSweep = void 0;
    this.#cancelMetrics = void 0;
    this.requests.closeAll();
    await this.#outbox.flush(STOP.spans);
    await this.#sendMetrics(STOP.metrics);
  }
  #take(name, event, context) {
    const hook = HOOKS[name];
    if (hook === void 0) return;
    hook(this, event, context, this.#world.now());
    if (this.#cancelSweep === void 0 && this.requests.size > 0) this.#scheduleSweep(SWEEP);
    if (this.#cancelMetrics === void 0) this.#scheduleMetrics();
  }
  #emit(span) {
    if (this.#settings.traces === void 0) return;
    if (this.#outbox.isFull) this.#outbox.drop();
    else this.#outbox.add(encodeSpan(span));
  }
  #scheduleSweep(delay) {
    this.#cancelSweep = this.#world.later(() => {
      this.#cancelSweep = void 0;
      let isDone = true;
      try {
        isDone = this.requests.sweep(this.#world.now());
      } finally {
        if (this.requests.size > 0) this.#scheduleSweep(isDone ? SWEEP : 1);
      }
    }, delay);
  }
  #scheduleMetrics() {
    if (this.#settings.metrics === void 0) return;
    this.#cancelMetrics = this.#world.later(() => {
      this.#scheduleMetrics();
      this.#sendMetrics(METRICS).catch(() => {
      });
    }, this.#settings.metricInterval);
  }
  async #sendMetrics(timeout) {
    const { metrics, metricPrefix } = this.#settings;
    const measured = metrics === void 0 ? [] : this.#instruments.collect(metricPrefix);
    if (metrics === void 0 || measured.length === 0) return;
    const now = this.#world.now();
    const body = requestOf2(
      this.#resource,
      measured.map((metric) => encodeMetric(metric, now))
    );
    await this.#post(metrics, body, AbortSignal.timeout(timeout));
  }
};

// plugin.ts
var plugin = {
  id: PLUGIN_ID,
  name: PLUGIN_NAME,
  description: "Exports each request, agent turn, model call and tool call as one connected OpenTelemetry trace",
  version: PLUGIN_VERSION,
  register(api) {
    try {
      register(api);
    } catch (error) {
      api.logger?.warn?.(`${PLUGIN_ID}: cannot start: ${error instanceof Error ? error.message : error}`);
    }
  }
};
function register(api) {
  const shared = sharedOf();
  const lines = [];
  const warn = (line) => void lines.push({ line, level: "warn" });
  const switches = readSwitches(api.rootDir ?? import.meta.dirname, warn);
  const settings = settingsOf(api.config, switches, warn);
  if (typeof settings === "string") lines.push({ line: `nothing is exported: ${settings}`, level: "info" });
  else {
    lines.push({ line: summary(settings, api), level: "info" });
    attach(api, settings, shared);
  }
  const start = () => {
    for (const { line, level } of lines) {
      if (!shared.said.has(line)) api.logger?.[level]?.(`${PLUGIN_ID}: ${line}`);
      shared.said.add(line);
    }
  };
  api.registerService?.({ id: PLUGIN_ID, start, stop: async () => shared.tracing?.stop() });
}
function attach(api, settings, shared) {
  const key = JSON.stringify(settings);
  if (shared.tracing === void 0 || shared.key !== key) {
    void shared.tracing?.stop();
    shared.tracing = new Tracing(settings);
    shared.key = key;
  }
  shared.tracing.logger = {
    info: (line) => api.logger?.info?.(`${PLUGIN_ID}: ${line}`),
    warn: (line) => api.logger?.warn?.(`${PLUGIN_ID}: ${line}`)
  };
  for (const hook of hooksFor(Object.keys(HOOKS), api)) {
    api.on?.(hook, (event, context) => shared.tracing?.hook(hook, event, context));
  }
  api.on?.("gateway_stop", () => shared.tracing?.stop());
  if (settings.switches.lifecycleSpans) registerLifecycle(api, shared);
}
function summary(settings, api) {
  const metrics = settings.turnMetrics ? ", with metrics" : "";
  const access = `plugins.entries.${PLUGIN_ID}.hooks.allowConversationAccess`;
  const guessed = seesConversations(api) ? "" : `; without ${access} the ends of turns are guessed`;
  return `exports to ${settings.traces ?? settings.metrics}${metrics}${guessed}`;
}
function registerLifecycle(api, shared) {
  api.on?.("gateway_start", () => {
    shared.tracing?.lifecycle("gateway.startup", shared.begun, Date.now());
  });
  for (const command of ["new", "reset", "stop"]) {
    const options = { name: `${PLUGIN_ID}-${command}`, description: `Exports a span for each /${command}` };
    const handler = () => shared.tracing?.lifecycle(`command.${command}`, Date.now(), Date.now());
    api.registerHook?.([`command:${command}`], handler, options);
  }
}
function sharedOf() {
  const key = /* @__PURE__ */ Symbol.for(`${PLUGIN_ID}@${PLUGIN_VERSION}`);
  const holder = globalThis;
  holder[key] ??= { said: /* @__PURE__ */ new Set(), begun: Date.now() };
  return holder[key];
}
export {
  plugin as default
};
