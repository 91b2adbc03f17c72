import { createCanvas, loadImage } from "@napi-rs/canvas"
import type { PagePicture } from "../../../src/core/ports/document.ts"
import { docxWith, paragraph, pptx } from "./office.ts"

type Type = "png" | "jpeg" | "webp"

/** A picture of lines of text, in dark letters on white. */
export const pictureOf = (lines: ReadonlyArray<string>, type: Type = "png", width = 1200, height = 600): Uint8Array => {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext("2d")
  context.fillStyle = "white"
  context.fillRect(0, 0, width, height)
  context.fillStyle = "black"
  context.font = "40px sans-serif"
  for (const [at, line] of lines.entries()) context.fillText(line, 60, 100 + 70 * at)
  return new Uint8Array(type === "png" ? canvas.toBuffer("image/png") : canvas.toBuffer(`image/${type}`, 90))
}

/** The picture turned clockwise by this many degrees. */
export const turnPicture = async (picture: PagePicture, degrees: 90 | 180 | 270): Promise<PagePicture> => {
  const [width, height] = degrees === 180 ? [picture.width, picture.height] : [picture.height, picture.width]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext("2d")
  context.translate(width / 2, height / 2)
  context.rotate((degrees * Math.PI) / 180)
  context.drawImage(await loadImage(picture.bytes), -picture.width / 2, -picture.height / 2)
  return { ...picture, bytes: new Uint8Array(canvas.toBuffer("image/png")), type: "image/png", width, height }
}

/** English Metric Units: eight inches by four. */
const SIZE = 'cx="7315200" cy="3657600"'

/** A presentation whose only slide shows the picture. */
export const slideWith = (picture: Uint8Array): Uint8Array =>
  pptx([
    {
      shapes: `<p:pic><p:blipFill><a:blip r:embed="a"/></p:blipFill><p:spPr><a:xfrm><a:ext ${SIZE}/></a:xfrm></p:spPr></p:pic>`,
      parts: { a: ["image", "media/a.png", picture] },
    },
  ])

/** A Word document of a paragraph and the picture. */
export const documentWith = (text: string, picture: Uint8Array): Uint8Array =>
  docxWith(
    `${paragraph(text)}<w:p><w:r><w:drawing><wp:inline><wp:extent ${SIZE}/><a:blip r:embed="a"/></wp:inline></w:drawing></w:r></w:p>`,
    { a: ["media/a.png", picture] },
  )
