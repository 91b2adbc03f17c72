import { readAskedBack } from "../answers/offers.ts"
import { capabilitiesOf } from "./stateless.ts"

/**
 * A question with several readings, asked to the person at the client (revision 2026-07-28): the result names what is missing,
 * and the client calls the tool again with it. Nothing is kept between the two calls.
 */

type Params = Readonly<Record<string, unknown>>

/** The name of the input, and of the field of its form. */
const READING = "reading"

/** Whether the client shows forms, and has not shown one for this call. */
export const mayRequestChoice = (params: Params): boolean => {
  const elicitation = capabilitiesOf(params)?.["elicitation"]
  if (!isObject(elicitation) || "inputResponses" in params) return false
  // An empty object is a client that shows forms; it may name other ways to ask beside.
  return Object.keys(elicitation).length === 0 || "form" in elicitation
}

/** The result that requests a choice in place of this answer; undefined if it asks nothing. */
export const requestChoice = (content: string) => {
  const asked = readAskedBack(content)
  return asked === undefined
    ? undefined
    : {
        resultType: "input_required",
        inputRequests: {
          [READING]: {
            method: "elicitation/create",
            params: {
              mode: "form",
              message: asked.said,
              requestedSchema: {
                type: "object",
                properties: { [READING]: { type: "string", title: "Your question", enum: asked.questions } },
                required: [READING],
              },
            },
          },
        },
      }
}

/** The question that the person chose in place of the tool's; undefined if nothing was chosen. */
export const chosenIn = ({ inputResponses }: Params): string | undefined => {
  const response = isObject(inputResponses) ? inputResponses[READING] : undefined
  if (!isObject(response) || response["action"] !== "accept" || !isObject(response["content"])) return undefined
  const reading = response["content"][READING]
  return typeof reading === "string" ? reading : undefined
}

const isObject = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value)
