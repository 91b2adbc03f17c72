import { decodeEntities } from "../../../core/common/entities.ts"
import { type Attachment, attachmentsUnread, LIMITS, type Warning } from "../../document.ts"
import { plain } from "../../plain.ts"

/** Leaves out the pictures of a mail's layout, and with a warning what exceeds the limit. */
export const limitAttachments = (
  attachments: ReadonlyArray<Attachment & { readonly isInline: boolean }>,
  warnings: Array<Warning>,
): ReadonlyArray<Attachment> => {
  const files = attachments
    .filter(({ isInline, bytes }) => !isInline && bytes.length > 0)
    .map(({ isInline: _, fileName, ...rest }) => ({
      ...rest,
      fileName:
        plain(decodeEntities(fileName))
          .replaceAll(/[\s/\\]+/g, " ")
          .slice(0, 200)
          .trim() || "attachment",
    }))
  const more = files.slice(LIMITS.attachments)
  if (more.length > 0) {
    const why = `a mail's first ${LIMITS.attachments} attachments are read. Upload the others by themselves.`
    warnings.push(
      attachmentsUnread(
        more.map(({ fileName }) => fileName),
        why,
      ),
    )
  }
  return files.slice(0, LIMITS.attachments)
}
