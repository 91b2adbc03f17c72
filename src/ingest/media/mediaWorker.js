// JavaScript, so that its URL is the same in the source and in the package, as bundlers need it.
import "./mediaThread.ts"
