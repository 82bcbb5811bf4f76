module tollgate.test/clients

go 1.18

require github.com/ngrok/ngrok-api-go/v5 v5.4.1
