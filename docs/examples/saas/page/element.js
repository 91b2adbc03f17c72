import "sightline/element"
