module tollgate.test/clients

go 1.25

require (
	github.com/ngrok/ngrok-api-go/v5 v5.4.1
	github.com/ngrok/ngrok-api-go/v7 v7.8.0
	github.com/ngrok/ngrok-api-go/v9 v9.0.0
)
