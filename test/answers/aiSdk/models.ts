import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { MockLanguageModelV3, MockLanguageModelV4 } from "ai/test"
import type { AiSdkModel } from "../../../src/adapters/models/aiSdk.ts"

// Types that fit each other here prove that the SDK's own models fit ours.

/** A model of the SDK's own provider for endpoints like OpenAI's. */
export const compatible = (url: string): AiSdkModel =>
  createOpenAICompatible({ name: "double", baseURL: url, apiKey: "sk-test", includeUsage: true })("tiny")

/** Models of the SDK, by the version of the specification. */
export const mocks = {
  v3: (doStream: any): AiSdkModel => new MockLanguageModelV3({ doStream }),
  v4: (doStream: any): AiSdkModel => new MockLanguageModelV4({ doStream }),
}
