import type { Line } from "./lines.ts"

/** Lines that are drawn one below the other or beside each other, and so are read together. */
interface Block {
  readonly lines: Array<Line>
  readonly angle: number
  left: number
  right: number
  /** The highest and the lowest base line. */
  top: number
  bottom: number
}

/** Pages of more blocks keep their drawing order, because each block is compared with each other one. */
const MAX_BLOCKS = 400

/** In letter heights: a superscript is nearer to its line. */
const LINE_GAP = 0.8

const overlap = (a: { left: number; right: number }, b: { left: number; right: number }) =>
  a.left < b.right && b.left < a.right

/** Whether `line` goes on below or beside the last line of its block. */
const goesOn = (block: Block, line: Line) => {
  const last = block.lines.at(-1)!
  const down = last.up - line.up
  const isBeside = Math.abs(down) < Math.max(last.size, line.size) * 0.5
  return block.angle === line.angle && (isBeside || (down > 0 && down < line.size * 3 && overlap(last, line)))
}

const divideIntoBlocks = (lines: ReadonlyArray<Line>) => {
  const blocks: Array<Block> = []
  for (const line of lines) {
    const block = blocks.at(-1)
    const { angle, left, right, up } = line
    if (block === undefined || !goesOn(block, line)) {
      blocks.push({ lines: [line], angle, left, right, top: up, bottom: up })
      continue
    }
    block.lines.push(line)
    block.left = Math.min(block.left, left)
    block.right = Math.max(block.right, right)
    block.top = Math.max(block.top, up)
    block.bottom = Math.min(block.bottom, up)
  }
  return blocks
}

/** Whether all of `upper` is above all of `lower`, in the same part of the page's width. */
const isAbove = (upper: Block, lower: Block) =>
  upper.angle === lower.angle && upper.bottom - lower.top > lower.lines[0]!.size * LINE_GAP && overlap(upper, lower)

/**
 * Moves blocks that are drawn after what stands below them: a title that a program draws last, a footer that it draws first. Blocks
 * beside each other, such as columns, keep their drawing order.
 */
export const fromTopToBottom = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const rest = divideIntoBlocks(lines)
  if (rest.length > MAX_BLOCKS) return lines
  /** How many of the other blocks that are left are above each block. */
  const above = new Map(rest.map((block) => [block, rest.filter((other) => isAbove(other, block)).length]))
  const ordered: Array<ReadonlyArray<Line>> = []
  while (rest.length > 0) {
    const first = rest.findIndex((block) => above.get(block) === 0)
    const [next] = rest.splice(Math.max(first, 0), 1)
    for (const block of rest) if (isAbove(next!, block)) above.set(block, above.get(block)! - 1)
    ordered.push(next!.lines)
  }
  return ordered.flat()
}
